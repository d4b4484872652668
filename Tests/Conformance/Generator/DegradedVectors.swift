import PushCore
import PushKeys
import PushReceiver
import TestSupport
import Testing

/// The payloads that do not open, each with one fault.
struct DegradedVectors {
  let keys: VectorKeys

  func all() throws -> [DegradedVector] {
    try payloadFaults() + textFaults() + envelopeFaults() + keyFaults() + cipherFaults() + plaintextFaults()
      + signatureFaults() + timeFaults() + contentFaults() + deliveryFaults()
  }

  /// A forge that makes a message which opens.
  func forge(_ id: String, _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true) throws -> Forge {
    Forge(id, to: try keys.recipient(suite), from: isSigned ? try keys.sender.signingKey() : nil)
  }

  /// A vector from a forge with one fault.
  func faulty(
    _ id: String, _ rule: String, _ expect: DegradeReason, _ comment: String,
    _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true, _ change: (inout Forge) throws -> Void
  ) throws -> DegradedVector {
    var forge = try forge(id, suite, isSigned: isSigned)
    try change(&forge)
    return DegradedVector(
      id: id, rule: rule, comment: comment, expect: expect, payload: try forge.payload())
  }

  /// A vector whose payload is right and whose setting is not.
  func misplaced(
    _ id: String, _ rule: String, _ expect: DegradeReason, _ comment: String,
    _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true, _ change: (inout Setting) throws -> Void
  ) throws -> DegradedVector {
    var vector = try faulty(id, rule, expect, comment, suite, isSigned: isSigned) { _ in }
    try change(&vector.setting)
    return vector
  }

  private func payloadFaults() throws -> [DegradedVector] {
    let values: [(String, JSONValue)] = [
      ("number", 5), ("null", .null), ("object", .object(["v": 1])), ("array", .array(["AQ"])),
      ("true", true),
    ]
    let wrongTypes = values.map { name, value in
      var payload = Forge.outer
      payload["ENCRYPTED_DATA"] = value
      return DegradedVector(
        id: "field-\(name)", rule: "1.2", comment: "the envelope's member is no string",
        expect: .malformedEnvelope, payload: payload)
    }
    let absent = DegradedVector(
      id: "field-absent", rule: "1.1", comment: "an ordinary push that somebody sent", expect: .noEnvelope,
      payload: Forge.outer)
    let tooLarge = try faulty("field-8193", "1.3", .tooLarge, "one character too many to be looked at") {
      $0.changeText = { text in text + String(repeating: "A", count: 8193 - text.utf8.count) }
    }
    // Three bytes of UTF-8 each, and one character.
    let multibyte = [
      try faulty("field-8193-bytes", "1.3", .tooLarge, "2,731 characters, and one byte too many") {
        $0.changeText = { _ in String(repeating: "한", count: 2731) }
      },
      try faulty("field-8192-bytes", "2.1", .malformedEnvelope, "2,732 characters, and not one byte too many")
      {
        $0.changeText = { _ in String(repeating: "한", count: 2730) + "AA" }
      },
    ]
    return [absent] + wrongTypes + [tooLarge] + multibyte
  }

  private func textFaults() throws -> [DegradedVector] {
    let faults: [(String, String, (String) -> String)] = [
      ("padding", "a padding character at the end", { $0 + "=" }),
      ("wrapped", "a line break, as a mailer wraps", { $0.prefix(64) + "\n" + $0.dropFirst(64) }),
      ("space", "a space at the end", { $0 + " " }),
      ("plus", "a character of the standard alphabet", { "A+" + $0.dropFirst(2) }),
      ("slash", "the other character of the standard alphabet", { "A/" + $0.dropFirst(2) }),
      ("nul", "a NUL at the end", { $0 + "\0" }),
      ("non-ascii", "a full-width letter", { "Ａ" + $0.dropFirst() }),
      ("length", "a length that no bytes have", { String($0.dropLast(($0.utf8.count + 3) % 4)) }),
      ("trailing-bits", "bits that belong to no byte", Self.settingTrailingBit),
    ]
    return try faults.map { name, comment, change in
      try faulty("text-\(name)", "2.1", .malformedEnvelope, comment) { forge in
        forge.padding += [UInt8](repeating: 0, count: name == "trailing-bits" ? forge.bytesToOdd : 0)
        forge.changeText = change
      }
    }
  }

  /// The last character's lowest bit, unused where the length modulo 4 is 2 or 3.
  private static func settingTrailingBit(_ text: String) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    guard let last = text.last, let value = alphabet.firstIndex(of: last) else { return text }
    return text.dropLast() + String(alphabet[value | 1])
  }

  private func timeFaults() throws -> [DegradedVector] {
    let issuedAt = Int64(Forge.issuedAt)
    return [
      try misplaced("expired", "5.10", .expired, "one second after lifetime and skew") {
        $0.now = UnixTime(clamping: issuedAt + 2_592_000 + 301)
      },
      try faulty("expired-lifetime-zero", "5.10", .expired, "now or never, and it is too late") {
        $0.lifetime = 0
        $0.issuedAt = Forge.issuedAt + 60 - 301
      },
      try misplaced("not-yet-valid", "5.11", .notYetValid, "issued 301 seconds in the future") {
        $0.now = UnixTime(clamping: issuedAt - 301)
      },
      try misplaced("clock-1970", "5.11", .notYetValid, "the device's clock stands at the epoch") {
        $0.now = UnixTime(clamping: 0)
      },
    ]
  }

  private func deliveryFaults() throws -> [DegradedVector] {
    var replayed = try faulty(
      "replayed", "7.1", .replayed, "another content under the identity of a message that was shown"
    ) { $0.content = Array(#"{"aps":{"alert":"Another"}}"#.utf8) }
    replayed.setting.after = try forge("replayed").payload()
    var untitled = try misplaced("deadline-untitled", "8", .deadline, "and there is no outer title") {
      $0.hasNoTime = true
    }
    untitled = DegradedVector(
      id: untitled.id, rule: untitled.rule, comment: untitled.comment, expect: untitled.expect,
      payload: [
        "aps": ["alert": "(Encrypted)", "mutable-content": 1],
        "ENCRYPTED_DATA": .string(try forge("deadline-untitled").text()),
      ],
      setting: untitled.setting)
    return [
      replayed,
      try misplaced("deadline", "8", .deadline, "the time runs out before the message was opened") {
        $0.hasNoTime = true
      },
      untitled,
      try outerMembers(),
      try outerSound(),
    ]
  }

  /// A sound that is null is none.
  private func outerSound() throws -> DegradedVector {
    let vector = try faulty("outer-sound-null", "4.1", .notAuthentic, "the outer payload's sound is null") {
      $0.aad = [0]
    }
    var payload = vector.payload
    payload["aps"] = ["alert": ["title": "Outer"], "sound": .null, "mutable-content": 1]
    return DegradedVector(
      id: vector.id, rule: vector.rule, comment: vector.comment, expect: vector.expect, payload: payload)
  }

  /// Nothing of a noisy outer payload survives but its title.
  private func outerMembers() throws -> DegradedVector {
    let vector = try faulty(
      "outer-members", "4.1", .notAuthentic, "nothing of the outer payload is shown but its title"
    ) {
      $0.aad = [0]
    }
    var payload = vector.payload
    payload["aps"] = [
      "alert": ["title": "Outer", "subtitle": "Outer", "body": "Outer"], "badge": 7, "category": "OUTER",
      "thread-id": "outer", "sound": "outer.aiff", "mutable-content": 1,
    ]
    payload["outer"] = "outer"
    return DegradedVector(
      id: vector.id, rule: vector.rule, comment: vector.comment, expect: vector.expect, payload: payload)
  }
}

extension Forge {
  /// How many more bytes make the envelope's length no multiple of 3.
  fileprivate var bytesToOdd: Int { 1 }
}
