import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import Testing

@Suite("Several devices of one person")
struct FanOutTests {
  private static let messageID = (try? MessageID("2c75dea1-70b5-4c96-b740-1f3362cce2e9"))!
  private let backend = Backend()
  private let notification = RemoteNotification(title: "Ada", body: "Lunch?")

  private func enrolled(_ device: Device, _ number: UInt8) -> EnrolledDevice {
    EnrolledDevice(address: Device.address(Int(number)), keys: (try? device.keys.publicKeys)!)
  }

  @Test("the identity on a device is the specification's worked value")
  func workedValue() throws {
    let thumbprint = try #require(
      Thumbprint(try Base64URL.decode("4JHXDbQKchI4NhsqNNUhH-dBS_B8ATse1_qrwM_VZr0")))
    #expect(Self.messageID.derived(for: thumbprint).text == "82a3c1b8-95f8-82cd-ae4b-0478b67e7823")
  }

  @Test("each identity is a UUID of version 8 and RFC 9562's variant")
  func version() {
    for number in 0..<64 {
      let thumbprint = Thumbprint([UInt8](repeating: UInt8(number), count: 32))!
      let bytes = Self.messageID.derived(for: thumbprint).bytes
      #expect(bytes[6] >> 4 == 8 && bytes[8] >> 6 == 0b10)
    }
  }

  @Test("each device opens the message, under an identity of its own that a retry keeps")
  func allDevices() throws {
    let devices = [Device(.x25519ChaChaPoly), Device(.p256AESGCM), Device(.x25519ChaChaPoly)]
    let enrolled = devices.enumerated().map { self.enrolled($1, UInt8($0 + 1)) }
    let sealer = try backend.sealer()
    let runs = (0..<2).map { _ in
      sealer.seal(notification, to: enrolled, messageID: Self.messageID, at: Device.now)
    }
    #expect(runs[0].map(\.device) == enrolled)
    var identities: [MessageID] = []
    for (device, push) in zip(devices, runs[0]) {
      let sealed = try push.addressedPush.push
      let content = try device.open(sealed)
      #expect(content.content == (try notification.payload().encoded()))
      #expect(content.claims.messageID == sealed.headers.messageID)
      #expect(
        sealed.headers.messageID
          == Self.messageID.derived(for: try device.recipient.thumbprint))
      identities.append(sealed.headers.messageID)
    }
    #expect(Set(identities + [Self.messageID]).count == 4)
    #expect(try runs[1].map { try $0.addressedPush.push.headers.messageID } == identities)
    #expect(
      try runs[1].map { try $0.addressedPush.push.payload }
        != runs[0].map { try $0.addressedPush.push.payload })
  }

  @Test("one device alone has a derived identity too, so that a second one changes nothing")
  func oneDevice() throws {
    let device = Device(.x25519ChaChaPoly)
    let push = try backend.sealer().seal(
      notification, to: [enrolled(device, 1)], messageID: Self.messageID, at: Device.now)
    #expect(try push[0].addressedPush.push.headers.messageID != Self.messageID)
  }

  @Test("a device that cannot be sealed to is reported, and the others are sealed")
  func partialFailures() throws {
    let good = Device(.x25519ChaChaPoly)
    let active = text(try Device(.x25519ChaChaPoly).keys.publicKeys.encoded())
    let accepted = Array(active.replacing(#""status":"active""#, with: #""status":"accepted""#).utf8)
    let retired = try PublicKeySet(parsing: accepted.span)
    var other = enrolled(good, 4)
    other.address = .apns(Device.address(4, topic: try Topic("com.example.other")))
    let devices = [
      EnrolledDevice(address: Device.address(1), keys: nil),
      EnrolledDevice(address: Device.address(2), keys: retired),
      EnrolledDevice(address: Device.address(3), keys: try backend.keys.publicKeys), other, enrolled(good, 5),
    ]
    let pushes = try backend.sealer().seal(notification, to: devices, at: Device.now)
    let errors = pushes.map { push -> DeviceError? in
      if case .failure(let error) = push.result { error } else { nil }
    }
    #expect(errors == [.noKeys, .keys(.noActiveKey), .keys(.wrongRole), .otherTopic, nil])
    #expect(try good.open(try pushes[4].addressedPush.push).claims.issuedAt == Device.now)
  }

  @Test("a message that does not fit one suite still fits another")
  func sizes() throws {
    let devices = [Device(.p256AESGCM), Device(.x25519ChaChaPoly)]
    let policy = SealingPolicy()
    let capacity = Budget.contentCapacity(policy: policy, suite: .x25519ChaChaPoly, isSigned: true)
    let rest = capacity - (try RemoteNotification(body: "b").payload().encoded().count)
    let long = RemoteNotification(body: String(repeating: "b", count: rest))
    let pushes = try backend.sealer().seal(
      long, to: devices.enumerated().map { enrolled($1, UInt8($0 + 1)) }, at: Device.now)
    guard case .failure(.seal(.tooLarge)) = pushes[0].result else {
      Issue.record("\(pushes[0].result)")
      return
    }
    #expect(throws: Never.self) { try pushes[1].addressedPush.push }
  }

  @Test("an error of the notification is each device's")
  func badNotification() throws {
    let device = enrolled(Device(.x25519ChaChaPoly), 1)
    let pushes = try backend.sealer().seal(RemoteNotification(), to: [device, device], at: Device.now)
    #expect(pushes.allSatisfy { $0.result == .failure(.seal(.nothingToShow)) })
    #expect(pushes.count == 2)
  }

  @Test("a person's devices are looked up")
  func directory() async throws {
    let device = Device(.x25519ChaChaPoly)
    let people = People(devices: ["ada": [enrolled(device, 1)]])
    let sealer = try backend.sealer()
    let pushes = try await sealer.seal(notification, to: "ada", in: people, at: Device.now)
    #expect(try device.open(try pushes[0].addressedPush.push).content == notification.payload().encoded())
    #expect(try await sealer.seal(notification, to: "bob", in: people).isEmpty)
    await #expect(throws: Unreachable.self) {
      try await sealer.seal(notification, to: "ada", in: BrokenDatabase())
    }
  }

  private struct Unreachable: Error {}

  private struct People: RecipientDirectory {
    let devices: [String: [EnrolledDevice]]

    func recipients(for person: String) -> [EnrolledDevice] { devices[person] ?? [] }
  }

  private struct BrokenDatabase: RecipientDirectory {
    func recipients(for person: String) throws -> [EnrolledDevice] { throw Unreachable() }
  }
}
