import PushCrypto
import PushCore
import PushKeys
import Testing

/// A source of random numbers that are the same each time.
struct SeededRandom: RandomSource {
  let seed: UInt8

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    for index in bytes.indices { bytes[index] = seed &+ UInt8(truncatingIfNeeded: index) }
  }
}

/// A moment, in seconds.
func moment(_ seconds: Int64) -> UnixTime { UnixTime(clamping: seconds) }

/// The time at which the sets of these tests are made.
let start = moment(1_700_000_000)

/// 30 days, in seconds.
let month: Int64 = 2_592_000

/// The kinds of set that the tests try.
enum Kind: String, CaseIterable, Sendable {
  case x25519, p256, sender, shared

  /// The kinds whose sets have a public half.
  static let pairs: [Kind] = [.x25519, .p256, .sender]

  var role: KeyRole {
    switch self {
    case .x25519, .p256: .device
    case .sender: .sender
    case .shared: .shared
    }
  }

  /// The secret member of a JWK.
  var secretMember: String { self == .shared ? "k" : "d" }

  /// The lives of new keys: the active one, and a sender's next one.
  func newLives(at now: UnixTime) -> [KeyLife] {
    ([.active] + (self == .sender ? [.next] : [])).map { KeyLife(issuedAt: now, status: $0) }
  }

  /// A generated set: one active key and, for a sender, a next key.
  func makeWholeSet(at now: UnixTime = start) -> KeySet {
    self == .sender ? KeySet(generating: .sender, at: now) : makeSet(at: now)
  }

  /// A set of one active key, without a next key even for a sender.
  func makeSet(seed: UInt8 = 1, at now: UnixTime = start) -> KeySet {
    (try? KeySet(
      generating: role, suite: self == .p256 ? .p256AESGCM : .x25519ChaChaPoly, at: now,
      random: SeededRandom(seed: seed)))!
  }
}

/// A private set's text.
func text(_ set: KeySet) -> String { String(decoding: set.encoded(), as: UTF8.self) }

/// A public set's text.
func text(_ set: PublicKeySet) -> String { String(decoding: set.encoded(), as: UTF8.self) }

/// The text of a set's public half, which must exist.
func publicText(_ set: KeySet) -> String { text((try? set.publicKeys)!) }

/// Reads a private set.
func parse(_ text: String) throws(KeySetError) -> KeySet {
  try KeySet(parsing: Array(text.utf8).span)
}

/// Reads a public set.
func parsePublic(_ text: String) throws(KeySetError) -> PublicKeySet {
  try PublicKeySet(parsing: Array(text.utf8).span)
}

/// The texts of a set's keys.
func keyTexts(_ text: String) -> [String] {
  text.split(separator: "\n").filter { $0.hasPrefix(#"{"kty""#) }.map { line in
    line.hasSuffix(",") ? String(line.dropLast()) : String(line)
  }
}

/// The text of a set with these keys.
func setText(_ keys: [String]) -> String { #"{"v":1,"keys":[\#(keys.joined(separator: ","))]}"# }

/// A set with an active key for each suite of a device.
func twoSuiteSet() throws -> KeySet {
  try parse(setText(keyTexts(text(Kind.x25519.makeSet())) + keyTexts(text(Kind.p256.makeSet()))))
}

extension String {
  /// The string value of the first member with this name.
  func member(_ name: String) -> String {
    guard let start = range(of: #""\#(name)":""#)?.upperBound else { return "" }
    return String(self[start...].prefix { $0 != "\"" })
  }

  /// A copy whose first member with this name has another value, in JSON; nil removes the member.
  func setting(_ name: String, to value: String?) -> String {
    guard let start = range(of: #""\#(name)":"#) else { return self }
    let rest = self[start.upperBound...]
    let end = rest.firstIndex { $0 == "," || $0 == "}" } ?? endIndex
    guard let value else {
      let isLast = self[end] == "}"
      let from = isLast ? index(before: start.lowerBound) : start.lowerBound
      return String(self[..<from] + self[(isLast ? end : index(after: end))...])
    }
    return String(self[..<start.upperBound] + value + self[end...])
  }

  /// A copy of a set's text whose last key has another value for a member.
  func settingLast(_ name: String, to value: String) -> String {
    let keys = keyTexts(self)
    return setText(keys.dropLast() + [keys[keys.count - 1].setting(name, to: value)])
  }

  private func range(of needle: String) -> Range<String.Index>? {
    ranges(of: needle).first
  }
}

/// Expects work on a key file to fail with an error that names the fault.
func expectFault<Value>(
  _ fault: KeyFileFault, sourceLocation: SourceLocation = #_sourceLocation, _ work: () throws -> Value
) {
  let error = #expect(throws: KeyFileError.self, sourceLocation: sourceLocation) { _ = try work() }
  #expect(error?.fault == fault, sourceLocation: sourceLocation)
}
