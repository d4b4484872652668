import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import PushTesting
import TestSupport
import Testing

/// A proof request as it was pushed, and what a device makes of it: [11.19], [11.20].
struct RequestVector {
  let id: String
  let comment: String
  var rule: String?
  let forge: Forge
  let payload: JSONObject
  var now: Int64
  let expect: String

  /// The T of the device's identity.
  let identity: String

  var json: JSONObject {
    var object: JSONObject = ["id": .string(id), "comment": .string(comment)]
    object["rule"] = rule.map(JSONValue.string)
    object["topic"] = .string(forge.topic)
    object["now"] = .number(JSONNumber(now))
    object["audience"] = .string(SignedSetForge.audience)
    object["identity"] = .string(identity)
    object["payload"] = .string(payload.text)
    object["expect"] = .string(expect)
    if rule == nil {
      object["content"] = .string(String(decoding: forge.content, as: UTF8.self))
      object["kid"] = .string(forge.recipient.thumbprint.text)
    }
    return object
  }
}

/// Makes proof requests to the device of keys.json.
struct RequestVectors {
  let keys: VectorKeys
  let pairs: SigningPairs

  func all() throws -> [RequestVector] { try answered() + messages() + contents() + refusals() }

  private var members: RawObject {
    RawObject([
      ("v", "1"), ("audience", SignedSetForge.audience.quoted), ("identity", pairs.identity.kid.quoted),
      ("proof", RegistrationVectors.asked.quoted),
    ])
  }

  private func forge(_ id: String, _ suite: Suite = .x25519ChaChaPoly) throws -> Forge {
    var forge = Forge("request-\(id)", to: try keys.recipient(suite), from: try keys.sender.signingKey())
    forge.firstByte = 0x71
    forge.content = Array(members.text.utf8)
    return forge
  }

  private func vector(
    _ forge: Forge, _ comment: String, rule: String? = nil, expect: String
  ) throws -> RequestVector {
    let payload: JSONObject = [
      "aps": ["content-available": 1], "ENCRYPTED_DATA": .string(try forge.text()),
    ]
    return RequestVector(
      id: forge.label, comment: comment, rule: rule, forge: forge, payload: payload,
      now: Int64(forge.issuedAt) + 60, expect: expect, identity: pairs.identity.kid)
  }

  /// What the sealer makes.
  private func answered() throws -> [RequestVector] {
    let plain = try [Suite.x25519ChaChaPoly, .p256AESGCM].map { suite in
      let forge = try forge(suite.name, suite)
      let sealer = Sealer(
        topic: try Topic(forge.topic), signer: forge.signer, policy: SealingPolicy(),
        random: FixedRandomness(bytes: forge.randomness))
      let push = try sealer.seal(
        try ProofRequest(parsing: forge.content), to: forge.recipient,
        messageID: try #require(MessageID(forge.messageID)), at: UnixTime(clamping: Int64(forge.issuedAt)))
      var vector = try vector(forge, "the plain case: this suite", expect: "answered")
      vector = RequestVector(
        id: vector.id, comment: vector.comment, forge: forge,
        payload: try JSONObject(parsing: push.payload.span), now: vector.now, expect: vector.expect,
        identity: vector.identity)
      return vector
    }
    var written = try forge("other-form")
    written.content = Array(members.reversed.spacedText.utf8)
    var longest = try forge("proof-255")
    longest.content = Array(
      with(members) { $0["proof"] = String(repeating: "A", count: 255).quoted }.text.utf8)
    return plain + [
      try vector(written, "white space, and the members in another order", expect: "answered"),
      try vector(longest, "the longest proof", expect: "answered"),
    ]
  }

  /// The message is not one that the device takes for a request.
  private func messages() throws -> [RequestVector] {
    var background = try forge("background")
    background.firstByte = 0x21
    var notification = try forge("notification")
    notification.firstByte = 0x11
    var anonymous = Forge("request-anonymous", to: try keys.recipient(.x25519ChaChaPoly), from: nil)
    anonymous.firstByte = 0x70
    anonymous.content = Array(members.text.utf8)
    var stranger = try forge("stranger")
    stranger.signer = try keys.stranger.signingKey()
    var late = try vector(try forge("expired"), "it is too late", rule: "5.10", expect: "expired")
    late.now = Int64(Forge.issuedAt) + 2_592_301
    return [
      try vector(background, "a background push with this content", rule: "5.3", expect: "malformed-content"),
      try vector(notification, "a notification with this content", rule: "5.3", expect: "malformed-content"),
      try vector(
        anonymous, "nobody signed it, and the app opens anonymous messages", rule: "11.19",
        expect: "anonymous-not-accepted"),
      try vector(stranger, "a sender whom the device does not trust", rule: "5.8", expect: "unknown-sender"),
      late,
    ]
  }

  /// [11.19].
  private func contents() throws -> [RequestVector] {
    func bytes(_ name: String, _ comment: String, _ content: String) throws -> RequestVector {
      var forge = try forge(name)
      forge.content = Array(content.utf8)
      return try vector(forge, comment, rule: "11.19", expect: "malformed-content")
    }
    func member(_ id: String, _ comment: String, _ name: String, _ value: String?) throws -> RequestVector {
      try bytes("\(name)-\(id)", "`\(name)`: \(comment)", with(members) { $0[name] = value }.text)
    }
    let short = String(repeating: "A", count: 20)
    return [
      try bytes("empty", "no content", ""), try bytes("array", "no object", "[]"),
      try bytes("payload", "a payload", #"{"aps":{}}"#),
      try bytes("bom", "a byte order mark", "\u{FEFF}" + members.text),
      try bytes(
        "twice", "a member twice", with(members) { $0.append("proof", RegistrationVectors.proof.quoted) }.text
      ),
      try member("2", "a newer version", "v", "2"), try member("absent", "none", "v", nil),
      try member("decimal", "no integer", "v", "1.0"),
      try member("absent", "none", "audience", nil),
      try member("empty", "no character", "audience", "".quoted),
      try member("control", "a control character", "audience", "a\\u0085".quoted),
      try member("256", "one byte too many", "audience", String(repeating: "a", count: 256).quoted),
      try member("absent", "none", "identity", nil), try member("31", "31 bytes", "identity", keyID.quoted),
      try member("null", "no string", "identity", "null"), try member("absent", "none", "proof", nil),
      try member("15-bytes", "too short", "proof", short.quoted),
      try member("256", "too long", "proof", String(repeating: "A", count: 256).quoted),
      try member("padded", "padding characters", "proof", (short + "AA==").quoted),
      try member("more", "a member more", "aps", "{}"),
    ]
  }

  /// 31 bytes in base64url.
  private var keyID: String { String(repeating: "A", count: 42) }

  /// [11.20].
  private func refusals() throws -> [RequestVector] {
    func refused(_ name: String, _ comment: String, _ reason: String, _ change: (inout RawObject) -> Void)
      throws
      -> RequestVector
    {
      var forge = try forge(name)
      forge.content = Array(with(members, change).text.utf8)
      return try vector(forge, comment, rule: "11.20", expect: reason)
    }
    var old = try forge("inactive-key")
    old.recipient = try keys.retired()
    old.issuedAt = UInt64(VectorKeys.made.seconds) + 60
    return [
      try refused("other-audience", "another backend asks", "other-audience") {
        $0["audience"] = "https://push.example.net".quoted
      },
      try refused("other-audience-slash", "a slash at its end", "other-audience") {
        $0["audience"] = (SignedSetForge.audience + "/").quoted
      },
      try refused("other-identity", "somebody else has enrolled this device's key", "other-identity") {
        $0["identity"] = pairs.otherIdentity.kid.quoted
      },
      try refused("other-both", "both: the audience comes first", "other-audience") {
        $0["audience"] = "https://push.example.net".quoted
        $0["identity"] = pairs.otherIdentity.kid.quoted
      },
      try vector(old, "a key that the device enrols no more", rule: "11.20", expect: "inactive-key"),
    ]
  }

  private func with(_ object: RawObject, _ change: (inout RawObject) -> Void) -> RawObject {
    object.with(change)
  }
}
