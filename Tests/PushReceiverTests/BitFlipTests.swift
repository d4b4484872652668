import PushCore
import PushKeys
import PushReceiver
import Testing

/// No change to an envelope, however small, opens or shows anything but the best attempt.
struct BitFlipTests {
  private let forges = Suite.available.map { Parties($0) }

  /// The most tolerant receiver of a device with keys of every suite.
  private func receiver(_ parties: Parties) -> Receiver {
    parties.receiver(
      keys: KeyRing(devices: forges.map(\.device)), accepts: AcceptedEnvelopes(anonymous: true))
  }

  private func message(_ suite: Suite, _ isSigned: Bool) throws -> (Receiver, String) {
    let parties = try #require(forges.first { $0.suite == suite })
    let receiver = receiver(parties)
    let text = try parties.envelope(Draft(json: #"{"aps":{"alert":"s"}}"#, isSigned: isSigned)).text
    try #require(receiver.reception(of: .carrying(text)).content.body == "s")
    return (receiver, text)
  }

  private static let shown = "shown"

  /// How often texts that must not open were degraded, by reason; what was shown of them is under ``shown``.
  private func outcomes(_ receiver: Receiver, _ texts: [String]) -> [String: Int] {
    texts.reduce(into: [:]) { counts, text in
      let reception = receiver.reception(of: .carrying(text))
      guard case .degraded(let reason) = reception.outcome, reception.content == .bestAttempt(text) else {
        counts[Self.shown, default: 0] += 1
        return
      }
      counts[reason.rawValue, default: 0] += 1
    }
  }

  @Test("bits of the bytes", arguments: Suite.available, [true, false])
  func bytes(suite: Suite, isSigned: Bool) throws {
    let (receiver, text) = try message(suite, isSigned)
    let bytes = try Base64URL.decode(text)
    let flipped = (0..<bytes.count * 8).map { bit in
      var bytes = bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      return base64URL(bytes)
    }
    let outcomes = outcomes(receiver, flipped)
    #expect(outcomes[Self.shown] == nil)
    #expect(outcomes["unsupported-version"] == 8)
    let others = (0..<8).count { Suite(rawValue: suite.rawValue ^ 1 << UInt8($0)) == nil }
    #expect(outcomes["unsupported-suite"] == others)
    // With the suite of X25519, whose encapsulated key is shorter, an envelope of X-Wing is one for a key of that suite.
    #expect(outcomes["unknown-key"] == (suite == .xwingAESGCM ? 65 : 64))
    #expect(outcomes.values.reduce(0, +) == bytes.count * 8)
  }

  @Test("bits of the characters", arguments: Suite.available, [true, false])
  func characters(suite: Suite, isSigned: Bool) throws {
    let (receiver, text) = try message(suite, isSigned)
    let characters = Array(text.utf8)
    // The eighth bit would make no UTF-8.
    let flipped = (0..<characters.count * 7).map { bit in
      var characters = characters
      characters[bit / 7] ^= 1 << UInt8(bit % 7)
      return String(decoding: characters, as: UTF8.self)
    }
    let outcomes = outcomes(receiver, flipped)
    #expect(outcomes[Self.shown] == nil)
    #expect(outcomes["malformed-envelope", default: 0] > characters.count)
    #expect(outcomes["not-authentic", default: 0] > characters.count)
    #expect(outcomes.values.reduce(0, +) == flipped.count)
  }

  @Test("prefixes, and texts with something behind", arguments: Suite.available, [true, false])
  func prefixes(suite: Suite, isSigned: Bool) throws {
    let (receiver, text) = try message(suite, isSigned)
    var texts = (0..<text.count).map { String(text.prefix($0)) }
    texts += ["A", "AA", "AAA", "AAAA", "=", " ", "\n", "\0", text].map { text + $0 }
    let outcomes = outcomes(receiver, texts)
    #expect(outcomes[Self.shown] == nil)
    #expect(Set(outcomes.keys) == ["malformed-envelope", "not-authentic"])
  }

  @Test("a character lost, doubled or swapped with the next", arguments: Suite.available)
  func slips(suite: Suite) throws {
    let (receiver, text) = try message(suite, true)
    let characters = Array(text)
    let texts = characters.indices.dropLast().flatMap { index -> [String] in
      var (lost, doubled, swapped) = (characters, characters, characters)
      lost.remove(at: index)
      doubled.insert(characters[index], at: index)
      swapped.swapAt(index, index + 1)
      return [lost, doubled, swapped].map { String($0) }.filter { $0 != text }
    }
    #expect(outcomes(receiver, texts)[Self.shown] == nil)
  }
}
