import PushCore
import PushKeys
import PushSealer
import Testing

/// What is not sealed, and why.
struct RefusalTests {
  private let backend = Backend()
  private let device = Device(.x25519ChaChaPoly)

  @Test("members that the format keeps for itself", arguments: ["sealed-push", "ENCRYPTED_DATA"])
  func reservedKeys(key: String) throws {
    let sealer = try backend.sealer()
    var notification = RemoteNotification(body: "b")
    notification.custom[key] = .null
    #expect(throws: SealError.reservedKey(key)) { try sealer.seal(notification, to: device) }
    #expect(throws: SealError.reservedKey(key)) {
      try sealer.seal(json: #"{"\#(key)":{"v":1},"aps":{"alert":"a"}}"#, to: device)
    }
  }

  @Test("with another envelope key that one is kept, and the default is free")
  func customReservedKey() throws {
    let key = try EnvelopeKey("enc")
    let sealer = try backend.sealer(policy: SealingPolicy(envelopeKey: key))
    #expect(throws: SealError.reservedKey("enc")) {
      try sealer.seal(json: #"{"aps":{"alert":"a"},"enc":1}"#, to: device)
    }
    let json = #"{"aps":{"alert":"a"},"ENCRYPTED_DATA":1}"#
    #expect(text(try device.open(try sealer.seal(json: json, to: device), key: key).content) == json)
  }

  @Test("the reserved names inside other members are nobody's business")
  func nestedNames() throws {
    let json = #"{"aps":{"alert":"a","sealed-push":1},"x":{"ENCRYPTED_DATA":1,"sealed-push":2}}"#
    let push = try backend.sealer().seal(json: json, to: device)
    #expect(text(try device.open(push).content) == json)
  }

  @Test("a key that the envelope cannot have", arguments: ["", "aps", "sealed-push"])
  func envelopeKeys(text: String) {
    #expect(throws: ValueError.self) { try EnvelopeKey(text) }
  }

  @Test(
    "a notification without a text",
    arguments: [
      #"{"aps":{}}"#, #"{"aps":{"badge":1}}"#, #"{"aps":{"sound":"default"}}"#, #"{"aps":{"alert":""}}"#,
      #"{"aps":{"alert":{}}}"#, #"{"aps":{"alert":{"title":"","body":""}}}"#,
      #"{"aps":{"alert":{"subtitle":"s"}}}"#, #"{"aps":{"alert":{"loc-key":""}}}"#,
      #"{"aps":{"alert":{"title-loc-key":1}}}"#, #"{"aps":{"alert":{"loc-args":["a"]}}}"#,
    ])
  func nothingToShow(json: String) throws {
    let sealer = try backend.sealer()
    #expect(throws: SealError.nothingToShow) { try sealer.seal(json: json, to: device) }
  }

  @Test(
    "any text is enough",
    arguments: [
      #"{"aps":{"alert":"a"}}"#, #"{"aps":{"alert":{"title":"t"}}}"#, #"{"aps":{"alert":{"body":"b"}}}"#,
      #"{"aps":{"alert":{"title-loc-key":"K"}}}"#, #"{"aps":{"alert":{"loc-key":"K"}}}"#,
    ])
  func somethingToShow(json: String) throws {
    let push = try backend.sealer().seal(json: json, to: device)
    #expect(text(try device.open(push).content) == json)
  }

  @Test("a call needs no text, and is a call")
  func voip() throws {
    let sealer = try backend.sealer(policy: SealingPolicy(pushType: .voip))
    let content = try device.open(try sealer.seal(json: #"{"aps":{},"call":1}"#, to: device))
    #expect(content.type == .voip)
    #expect(text(content.content) == #"{"aps":{},"call":1}"#)
  }

  @Test(
    "a payload that breaks a rule of Apple's",
    arguments: [
      (#"{}"#, "aps", .missing), (#"{"aps":[]}"#, "aps", .mustBeObject),
      (#"{"aps":{"alert":"a","badge":-1}}"#, "aps.badge", .mustNotBeNegative),
      (#"{"aps":{"alert":"a","badge":1.0}}"#, "aps.badge", .mustBeInteger),
      (#"{"aps":{"alert":{"title":"\u0000"}}}"#, "aps.alert.title", .containsNUL),
      (#"{"aps":{"alert":"a","relevance-score":1.1}}"#, "aps.relevance-score", .mustBeFrom0To1),
      (#"{"aps":{"alert":"a","interruption-level":"loud"}}"#, "aps.interruption-level", .unknownValue),
    ] as [(String, String, PayloadRule)])
  func invalidPayloads(json: String, key: String, rule: PayloadRule) throws {
    let sealer = try backend.sealer()
    #expect(throws: SealError.payload(.invalid(key: key, rule: rule))) {
      try sealer.seal(json: json, to: device)
    }
  }

  @Test("a notification made in code is checked too")
  func invalidNotification() throws {
    let sealer = try backend.sealer()
    var notification = RemoteNotification(body: "b")
    notification.badge = -1
    let error = SealError.payload(.invalid(key: "aps.badge", rule: .mustNotBeNegative))
    #expect(throws: error) { try sealer.seal(notification, to: device) }
    #expect(throws: error) { try sealer.budget(for: notification, suite: .x25519ChaChaPoly) }
  }

  @Test(
    "keys with which nothing would be secret never become a recipient",
    arguments: [
      [UInt8](repeating: 0, count: 32), [1] + [UInt8](repeating: 0, count: 31),
      [0xec] + [UInt8](repeating: 0xff, count: 30) + [0x7f],
      [0xee] + [UInt8](repeating: 0xff, count: 31),
      [UInt8](repeating: 9, count: 31), [UInt8](repeating: 9, count: 33), [],
    ] as [[UInt8]])
  func x25519Keys(bytes: [UInt8]) {
    #expect(throws: ValueError("public key", is: "a key of its algorithm that is safe to use")) {
      try PublicKey(algorithm: .x25519, bytes: bytes)
    }
  }

  @Test(
    "points that P-256 does not have never become a recipient",
    arguments: [0x02, 0x03, 0x06, 0x07, 0x00, 0xff])
  func p256Forms(first: UInt8) throws {
    var bytes = try #require(try Device(.p256AESGCM).recipient.publicKey).bytes
    bytes[0] = first
    #expect(throws: ValueError("public key", is: "a key of its algorithm that is safe to use")) {
      try PublicKey(algorithm: .p256, bytes: bytes)
    }
  }

  @Test("nor points off the curve or cut")
  func p256Points() throws {
    let good = try #require(try Device(.p256AESGCM).recipient.publicKey).bytes
    var flipped = good
    flipped[64] ^= 1
    let cases: [[UInt8]] = [
      flipped, [4] + [UInt8](repeating: 0, count: 64), [4] + [UInt8](repeating: 0xff, count: 64),
      Array(good.dropLast()), good + [0], [0], [2] + good[1...32],
    ]
    for bytes in cases {
      #expect(throws: ValueError("public key", is: "a key of its algorithm that is safe to use")) {
        try PublicKey(algorithm: .p256, bytes: bytes)
      }
    }
  }

  @Test("a sender's key is no recipient")
  func senderKey() throws {
    #expect(Recipient(try backend.keys.signingKey().publicKey) == nil)
    #expect(throws: KeySetError.wrongRole) { try backend.keys.publicKeys.recipient() }
  }
}
