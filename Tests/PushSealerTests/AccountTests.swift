import PushAttachments
import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import TestSupport
import Testing

@Suite("Messages for an account")
struct AccountTests {
  private let backend = Backend()
  private let device = Device(.x25519ChaChaPoly)
  private let notification = RemoteNotification(title: "Ada", body: "Lunch?", custom: ["chat": 42])
  private let account = AccountTag([UInt8](repeating: 0xfb, count: AccountTag.size))!

  private var member: String { #","sealed-push":{"v":1,"account":"\#(account.text)"}}"# }

  private func content(_ push: SealedNotification, key: EnvelopeKey = .default) throws -> String {
    text(try device.open(push, key: key).content)
  }

  private func descriptor() throws -> AttachmentDescriptor {
    let json = """
      {"url":"https://example.com/b","key":"\(String(repeating: "A", count: 22))",\
      "sha256":"\(String(repeating: "A", count: 43))","size":41,"type":"image/png"}
      """
    return try AttachmentDescriptor(parsing: try JSONObject(parsing: Array(json.utf8).span))
  }

  @Test("the content has the tag, in its last member")
  func sealed() throws {
    let push = try backend.sealer().seal(
      notification, to: device.recipient, account: account, at: Device.now)
    #expect(try content(push) == text(notification.payload().encoded()).dropLast() + member)
  }

  @Test("a payload stays as it is, and has the tag")
  func payload() throws {
    let json = #"{"chat":42,"aps":{"alert":"Lunch?"}}"#
    let push = try backend.sealer().seal(
      payload: try JSONObject(parsing: Array(json.utf8).span), to: device.recipient, account: account,
      at: Device.now)
    #expect(try content(push) == json.dropLast() + member)
  }

  @Test("without an account there is no such member")
  func none() throws {
    let push = try backend.sealer().seal(notification, to: device.recipient, at: Device.now)
    #expect(try content(push) == text(notification.payload().encoded()))
  }

  @Test("the tag is beside the attachments")
  func attachments() throws {
    let descriptor = try descriptor()
    let push = try backend.sealer().seal(
      notification, attachments: [descriptor], to: device.recipient, account: account, at: Device.now)
    let payload = try JSONObject(parsing: try device.open(push).content.span)
    #expect(
      payload["sealed-push"] == [
        "v": 1, "attachments": [.object(descriptor.json())], "account": .string(account.text),
      ])
    #expect(payload.keys.last == "sealed-push")
  }

  @Test("data has the tag, too", arguments: PushType.allCases)
  func data(type: PushType) throws {
    let json =
      #"{"aps":{"alert":"a","timestamp":1,"event":"update","content-state":{"minutes":3}}}"#
    let sealer = try backend.sealer(policy: SealingPolicy(pushType: type))
    let push = try sealer.seal(
      payload: try JSONObject(parsing: Array(json.utf8).span), to: device.recipient, account: account,
      at: Device.now)
    #expect(try content(push) == json.dropLast() + member)
    #expect(!text(push.payload).contains("sealed-push"))
  }

  @Test("the tag is no member that can stay visible")
  func visible() throws {
    let policy = SealingPolicy(visible: [.custom("chat"), .custom("sealed-push")])
    let push = try backend.sealer(policy: policy).seal(
      notification, to: device.recipient, account: account, at: Device.now)
    #expect(try push.json.keys == ["aps", "chat", "ENCRYPTED_DATA"])
    #expect(try content(push).hasSuffix(member))
  }

  @Test("the longest content is shorter by the member", arguments: [Padding.buckets, .maximum, .none])
  func size(padding: Padding) throws {
    let policy = SealingPolicy(padding: padding)
    let capacity = Budget.contentCapacity(policy: policy, suite: device.suite, isSigned: true)
    let rest =
      capacity - (try RemoteNotification(body: "b").payload().encoded().count) - (member.utf8.count - 1)
    func seal(_ count: Int) throws -> SealedNotification {
      try backend.sealer(policy: policy).seal(
        RemoteNotification(body: String(repeating: "b", count: count)), to: device.recipient,
        account: account, at: Device.now)
    }
    #expect(try content(seal(rest + 1)).utf8.count == capacity)
    #expect(throws: SealError.self) { try seal(rest + 2) }
  }

  @Test("what is cut to fit is never the tag")
  func fitting() throws {
    let policy = SealingPolicy(fitting: .drop(["sealed-push", "chat"], thenTruncateBody: true))
    let long = RemoteNotification(body: String(repeating: "b", count: 4000), custom: ["chat": 42])
    let push = try backend.sealer(policy: policy).seal(
      long, to: device.recipient, account: account, at: Device.now)
    #expect(try content(push).hasSuffix(member))
    #expect(push.cuts.first == .dropped("chat") && push.cuts.count == 2)
    let content = try content(push)
    #expect(content.utf8.count == Budget.contentCapacity(policy: policy, suite: device.suite, isSigned: true))
  }

  @Test("a content whose attachments were dropped still has the tag")
  func droppedAttachments() throws {
    let policy = SealingPolicy(fitting: .drop(["sealed-push"]))
    let capacity = Budget.contentCapacity(policy: policy, suite: device.suite, isSigned: true)
    let rest =
      capacity - (try RemoteNotification(body: "b").payload().encoded().count) - (member.utf8.count - 1)
    let push = try backend.sealer(policy: policy).seal(
      RemoteNotification(body: String(repeating: "b", count: rest)), attachments: [try descriptor()],
      to: device.recipient, account: account, at: Device.now)
    #expect(push.cuts == [.dropped("sealed-push")])
    #expect(try content(push).hasSuffix(member))
  }

  @Test("the member is still nobody else's")
  func reserved() throws {
    var reserved = notification
    reserved.custom["sealed-push"] = ["v": 1, "account": "x"]
    #expect(throws: SealError.reservedKey("sealed-push")) {
      try backend.sealer().seal(reserved, to: device.recipient, account: account, at: Device.now)
    }
  }

  @Test("each of a person's devices gets its own tag")
  func fanOut() throws {
    let accounts = [account, nil, AccountTag([UInt8](repeating: 1, count: AccountTag.size))]
    let devices = accounts.map { _ in Device(.x25519ChaChaPoly) }
    let enrolled = try zip(devices, accounts).enumerated().map { number, pair in
      EnrolledDevice(
        address: Device.address(number), keys: try pair.0.keys.publicKeys, account: pair.1)
    }
    let pushes = try backend.sealer().seal(notification, to: enrolled, at: Device.now)
    let found = try zip(devices, pushes).map { device, push in
      try JSONObject(parsing: try device.open(try push.addressedPush.push).content.span)["sealed-push"]?
        .object?["account"]?.string
    }
    #expect(found == accounts.map { $0?.text })
  }

  @Test("a proof request has none")
  func proofRequest() throws {
    var keys = try DeviceKeys(device: device.keys, identity: KeySet(generating: .identity, at: Device.now))
    let audience = try Audience("https://push.example.com")
    var registration = try Registration(
      name: "ada-1", enrolment: try keys.enrol(address: Device.address(1), for: audience, at: Device.now))
    try registration.assign(to: "ada")
    let pending = try #require(registration.pending)
    let push = try backend.sealer().seal(pending.request, to: pending.recipient, at: Device.now)
    let content = try device.open(push).content
    #expect(try JSONObject(parsing: content.span).keys == ["v", "audience", "identity", "proof"])
  }
}
