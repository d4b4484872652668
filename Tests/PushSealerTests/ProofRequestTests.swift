import PushCore
import PushEnrolment
import PushKeys
import PushSealer
import TestSupport
import Testing

/// A request to prove a key and a token, and what is sealed to whom until it is answered.
struct ProofRequestTests {
  private let backend = Backend()
  private let audience = (try? Audience("https://push.example.com"))!
  private let address = DeviceAddress(
    topic: Device.topic, environment: .production, token: DeviceToken([0x0f])!)

  private func registered(_ keys: inout DeviceKeys) throws -> Registration {
    try Registration(name: "ada", enrolment: try keys.enrol(address: address, for: audience, at: Device.now))
  }

  private func answer(_ keys: inout DeviceKeys, to registration: inout Registration) throws {
    let pending = try #require(registration.pending)
    let answer = try keys.answer(
      pending.request, openedBy: pending.recipient.thumbprint, address: address, for: audience, at: Device.now
    )
    try registration.update(with: try answer.get())
  }

  private func load(_ lines: [Registration]) throws -> RecipientFile {
    let folder = try TemporaryFolder()
    let text = lines.map { String(decoding: $0.encoded(), as: UTF8.self) + "\n" }.joined()
    let path = try folder.write(text, to: "registrations")
    return try withExtendedLifetime(folder) { try RecipientFile(path: path) }
  }

  @Test(
    "it is a background push, signed, whatever the policy",
    arguments: [Suite.x25519ChaChaPoly, .p256AESGCM], PushType.allCases)
  func sealed(suite: Suite, type: PushType) throws {
    let device = Device(suite)
    let keys = try DeviceKeys(device: device.keys, identity: KeySet(generating: .identity, at: Device.now))
    var changed = keys
    let pending = try #require(try registered(&changed).pending)
    let sealer = try backend.sealer(policy: SealingPolicy(pushType: type, visible: [.custom("proof")]))
    let push = try sealer.seal(pending.request, to: pending.recipient, at: Device.now)
    let fields = Dictionary(uniqueKeysWithValues: push.headers.fields)
    #expect(fields["apns-push-type"] == "background" && fields["apns-priority"] == "5")
    #expect(fields["apns-topic"] == Device.topic.text)
    let payload = try JSONObject(parsing: push.payload.span)
    #expect(payload["aps"] == ["content-available": 1] && payload.count == 2)
    let content = try device.open(push)
    #expect(content.type == .proofRequest && content.signature != nil)
    #expect(content.claims.lifetime == .maximum && content.content == pending.request.encoded())
  }

  @Test("its token counts as claimed, whatever its sender says, and another push's does not")
  func isProofRequest() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
    let pending = try #require(try registered(&keys).pending)
    let sealer = try backend.sealer()
    let request = try sealer.seal(pending.request, to: pending.recipient, at: Device.now)
    #expect(request.isProofRequest && !AddressedPush(request, to: address, isProven: true).isProven)
    let other = try sealer.seal(
      RemoteNotification(title: "Lunch", body: "Noon?"), to: pending.recipient, at: Device.now)
    #expect(!other.isProofRequest && AddressedPush(other, to: address).isProven)
  }

  @Test("APNs need not keep it")
  func expiration() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
    let pending = try #require(try registered(&keys).pending)
    let push = try backend.sealer().seal(
      pending.request, to: pending.recipient, at: Device.now,
      headers: HeaderOptions(expiration: UnixTime(clamping: 0)))
    #expect(push.headers.expiration == UnixTime(clamping: 0))
  }

  @Test("a sealer that does not sign seals none") func anonymous() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
    let pending = try #require(try registered(&keys).pending)
    let sealer = try backend.sealer(isSigned: false)
    #expect(throws: SealError.anonymousRequest) { try sealer.seal(pending.request, to: pending.recipient) }
  }

  @Test("nothing is sealed to what is not proven") func recipients() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
    var registration = try registered(&keys)
    #expect(EnrolledDevice(registration).keys == nil)
    #expect(try load([registration]).device(named: "ada")?.keys == nil)
    try answer(&keys, to: &registration)
    let proven = EnrolledDevice(registration)
    #expect(try proven.keys == keys.device.publicKeys && proven.address == .apns(address))
    // A rotation and a new token: the old ones go on.
    try keys.edit { (editor) throws(KeySetError) in _ = try editor.rotate(grace: nil, at: Device.now) }
    let other = DeviceAddress(topic: Device.topic, environment: .sandbox, token: DeviceToken([0x0e])!)
    try registration.update(with: try keys.enrol(address: other, for: audience, at: Device.now))
    #expect(EnrolledDevice(registration) == proven)
    #expect(try load([registration]).device(named: "ada") == proven)
  }

  @Test("a token that nobody has proven may be there twice") func twice() throws {
    let lines = try ["ada", "eve"].map { name in
      var keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
      return try Registration(
        name: name, enrolment: try keys.enrol(address: address, for: audience, at: Device.now))
    }
    #expect(try load(lines).devices.count == 2)
    var keys = (0..<2).map { _ in DeviceKeys(of: .x25519ChaChaPoly, at: Device.now) }
    let proven = try keys.indices.map { index in
      var registration = try Registration(
        name: "\(index)", enrolment: try keys[index].enrol(address: address, for: audience, at: Device.now))
      try answer(&keys[index], to: &registration)
      return registration
    }
    let error = #expect(throws: RecipientFileError.self) { try load(proven) }
    guard case .line(2, .duplicateToken(firstLine: 1), _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }
}
