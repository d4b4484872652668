import PushAttachments
import PushCrypto
import PushCore
import PushKeys
import PushSealer
import Testing

/// Attachments in the messages that a sealer seals.
struct SealerAttachmentsTests {
  private let keys = KeySet(generating: .device, at: .now)
  private let topic: Topic
  private let descriptor: AttachmentDescriptor

  init() throws {
    topic = try Topic("com.example.app")
    var descriptor = try Blob(sealing: file(3)).descriptor
    descriptor.url = try AttachmentURL("https://example.com/b")
    self.descriptor = descriptor
  }

  private func open(_ push: SealedNotification) throws -> JSONObject {
    let text = try JSONObject(parsing: push.payload.span)["ENCRYPTED_DATA"]?.string
    let envelope = try Envelope(decoding: try #require(text))
    let key = try #require(keys.deviceKey(for: envelope.keyID, at: .now))
    let plaintext = try key.open(envelope, for: topic)
    let content = try SealedContent(decoding: plaintext.exposedBytes)
    return try JSONObject(parsing: content.content.span)
  }

  private func seal(
    _ attachments: [AttachmentDescriptor], _ json: String = #"{"aps":{"alert":"a"},"chat":42}"#,
    policy: SealingPolicy = SealingPolicy()
  ) throws -> SealedNotification {
    let bytes = Array(json.utf8)
    let payload = try JSONObject(parsing: bytes.span)
    return try Sealer.anonymous(topic: topic, policy: policy).seal(
      payload: payload, attachments: attachments, to: try keys.publicKeys.recipient())
  }

  @Test func `no policy makes the keys of attachments visible`() throws {
    let names = ["sealed-push", "ENCRYPTED_DATA", "aps"].map(VisibleMember.init(name:))
    let push = try seal([descriptor], policy: SealingPolicy(visible: Set(names)))
    #expect(try JSONObject(parsing: push.payload.span).keys == ["aps", "ENCRYPTED_DATA"])
    #expect(try open(push)["sealed-push"] != nil)
  }

  @Test func `they are sealed in the format's own member`() throws {
    let content = try open(try seal([descriptor]))
    #expect(content.keys == ["aps", "chat", "sealed-push"])
    #expect(content["sealed-push"] == ["v": 1, "attachments": [.object(descriptor.json())]])
    let notification = RemoteNotification(body: "b")
    let push = try Sealer.anonymous(topic: topic).seal(
      notification, attachments: [descriptor, descriptor], to: try keys.publicKeys.recipient())
    let member = SealedPushMember(reading: try open(push)["sealed-push"])
    #expect(member.attachments.map { $0.json() } == [descriptor.json(), descriptor.json()])
  }

  @Test func `without attachments there is no such member`() throws {
    #expect(try open(try seal([])).keys == ["aps", "chat"])
  }

  @Test func `the member is still nobody else's`() throws {
    let json = #"{"aps":{"alert":"a"},"sealed-push":{"v":1}}"#
    for attachments in [[], [descriptor]] {
      #expect(throws: SealError.reservedKey("sealed-push")) { try seal(attachments, json) }
    }
  }

  @Test func `what cannot be sent is not sealed`() throws {
    var noURL = descriptor
    noURL.url = nil
    #expect(throws: SealError.attachments(.missingURL)) { try seal([descriptor, noURL]) }
    let nine = [AttachmentDescriptor](repeating: descriptor, count: 9)
    #expect(throws: SealError.attachments(.tooMany)) { try seal(nine) }
    #expect(throws: SealError.attachmentsOfData) {
      try seal([descriptor], policy: SealingPolicy(pushType: .voip))
    }
  }

  @Test func `they count in the budget`() throws {
    let sealer = Sealer.anonymous(topic: topic)
    let notification = RemoteNotification(body: "b")
    let without = try sealer.budget(for: notification, suite: .x25519ChaChaPoly)
    let with = try sealer.budget(for: notification, attachments: [descriptor], suite: .x25519ChaChaPoly)
    // ,"sealed-push":{"v":1,"attachments":[…]}
    #expect(with.needed == without.needed + 39 + descriptor.json().encoded().count)
  }
}
