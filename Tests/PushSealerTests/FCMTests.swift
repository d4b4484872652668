import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

@Suite("Messages that FCM carries")
struct FCMTests {
  private static let application = "com.example.my_app"
  private let backend = Backend()
  private let notification = RemoteNotification(title: "Ada", body: "Lunch at noon?")

  private func sealer(_ type: PushType = .alert, _ change: (inout SealingPolicy) -> Void = { _ in }) throws
    -> Sealer
  {
    var policy = SealingPolicy(pushType: type)
    change(&policy)
    return Sealer(
      topic: Device.topic, applicationID: try Topic(Self.application),
      signingKey: try backend.keys.signingKey(at: Device.now), policy: policy)
  }

  private func job(to device: Device, _ headers: HeaderOptions = HeaderOptions()) throws -> SealJob {
    SealJob(
      .notification(notification), to: try device.keys.publicKeys.recipient(), at: Device.now,
      headers: headers)
  }

  /// What an opener of the app on Android makes of a message.
  private func receiver(of device: Device) throws -> Receiver {
    Receiver(
      topic: try Topic(Self.application), keys: device.keys, senders: try backend.keys.publicKeys,
      clock: ManualClock(Device.now))
  }

  private func envelope(of message: SealedDataMessage) throws -> EnvelopeField {
    EnvelopeField(data: try JSONObject(parsing: message.data.span))
  }

  @Test("an alert opens as a notification, and as no data") func opens() throws {
    let device = Device(.x25519ChaChaPoly)
    let message = try sealer().sealForFCM(job(to: device))
    let payload = try JSONObject(parsing: message.data.span)
    let opened = try receiver(of: device).open(IncomingPush(payload: payload))
    #expect(opened.json == (try notification.payload().encoded()))
    #expect(opened.opened.claims.lifetime.seconds == 2_419_200)
    #expect(throws: DegradeReason.malformedContent) {
      try receiver(of: device).openData(envelope(of: message), as: .background)
    }
  }

  @Test("a background push opens as data, and as no notification") func data() throws {
    let device = Device(.p256AESGCM)
    let message = try sealer(.background).sealForFCM(job(to: device))
    let opened = try receiver(of: device).openData(envelope(of: message), as: .background)
    #expect(opened.json == (try notification.payload().encoded()))
    let payload = try JSONObject(parsing: message.data.span)
    #expect(throws: DegradeReason.malformedContent) {
      try receiver(of: device).open(IncomingPush(payload: payload))
    }
  }

  @Test("the request has the token, the delivery and the data, in this order") func request() throws {
    let message = try sealer().sealForFCM(job(to: Device(.x25519ChaChaPoly)))
    let data = String(decoding: message.data, as: UTF8.self)
    let text = String(decoding: message.request(to: try FCMToken("fX9:A")), as: UTF8.self)
    #expect(
      text == #"{"message":{"token":"fX9:A","android":{"priority":"HIGH","ttl":"2419200s"},"data":\#(data)}}"#
    )
    let bare = String(decoding: message.request(), as: UTF8.self)
    #expect(bare.hasPrefix(#"{"message":{"android":"#))
  }

  @Test(
    "a message has 4096 bytes of names and values at most", arguments: [Suite.x25519ChaChaPoly, .p256AESGCM])
  func sizes(suite: Suite) throws {
    let device = Device(suite)
    let longest = [Suite.x25519ChaChaPoly: 2872, .p256AESGCM: 2839][suite] ?? 0
    func seal(_ count: Int) throws -> SealedDataMessage {
      let payload: JSONObject = ["aps": ["alert": ["body": .string(String(repeating: "x", count: count))]]]
      return try sealer().sealForFCM(
        SealJob(.payload(payload), to: try device.keys.publicKeys.recipient(), at: Device.now))
    }
    let message = try seal(longest)
    let data = try JSONObject(parsing: message.data.span)
    #expect((4094...4096).contains(FCMPayload(data).size))
    let error = #expect(throws: SealError.self) { try seal(longest + 1) }
    guard case .tooLargeForFCM(_, 4096)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("FCM carries alerts and background pushes alone", arguments: PushType.allCases)
  func types(type: PushType) throws {
    let seal = { try sealer(type).sealForFCM(job(to: Device(.x25519ChaChaPoly))) }
    if [.alert, .background].contains(type) {
      #expect(throws: Never.self) { try seal() }
    } else {
      #expect(throws: SealError.notCarriedByFCM(type)) { try seal() }
    }
  }

  @Test("an app is sealed for where its ID can be") func topics() throws {
    let device = Device(.x25519ChaChaPoly)
    let key = try backend.keys.signingKey(at: Device.now)
    let bundle = Sealer(topic: try Topic("com.example.my-app"), signingKey: key)
    #expect(throws: SealError.topicOfOther(.fcm)) { try bundle.sealForFCM(job(to: device)) }
    let application = Sealer(topic: try Topic(Self.application), signingKey: key)
    #expect(throws: SealError.topicOfOther(.apns)) { try application.seal(job(to: device)) }
  }

  @Test("nothing stays visible beside the envelope") func visible() throws {
    let sealer = try sealer { $0.visible = [.badge, .custom("chat")] }
    let payload: JSONObject = ["aps": ["alert": "B", "badge": 3], "chat": "ada"]
    let message = try sealer.sealForFCM(
      SealJob(
        .payload(payload), to: try Device(.x25519ChaChaPoly).keys.publicKeys.recipient(), at: Device.now))
    let data = try JSONObject(parsing: message.data.span)
    #expect(data.count == 1 && data["ENCRYPTED_DATA"] != nil)
  }

  @Test("many are sealed as one is, in order, and one that fails costs no other") func many() throws {
    let devices = (0..<20).map { _ in Device(.x25519ChaChaPoly) }
    var jobs = try devices.map { try job(to: $0) }
    jobs[3].headers = HeaderOptions(collapseID: "")
    let results = try sealer().sealForFCM(jobs)
    for (index, result) in results.enumerated() where index != 3 {
      let data = try result.get().data
      let payload = try JSONObject(parsing: data.span)
      #expect(throws: Never.self) { try receiver(of: devices[index]).open(IncomingPush(payload: payload)) }
    }
    #expect(throws: SealError.headers(.collapseID)) { try results[3].get() }
  }

  // MARK: Several devices

  private func android(_ device: Device, _ token: String, topic: String = application) throws
    -> EnrolledDevice
  {
    EnrolledDevice(
      address: try FCMAddress(topic: Topic(topic), token: FCMToken(token)), keys: try device.keys.publicKeys,
      person: "ada")
  }

  @Test("a person's iPhones and Android phones get one message by one call") func fanOut() throws {
    let (phone, android) = (Device(.x25519ChaChaPoly), Device(.p256AESGCM))
    let iPhone = EnrolledDevice(address: Device.address(1), keys: try phone.keys.publicKeys)
    let elsewhere = try self.android(Device(.x25519ChaChaPoly), "b", topic: "com.example.other_app")
    let pushes = try sealer().seal(
      notification, to: [iPhone, self.android(android, "fX9:A"), elsewhere], at: Device.now)
    guard case .success(.apns(let push)) = pushes[0].result,
      case .success(.fcm(let message)) = pushes[1].result
    else {
      Issue.record("\(pushes)")
      return
    }
    #expect(try push.address == Device.address(1) && message.address.token == FCMToken("fX9:A"))
    #expect(try phone.open(push.push).content == notification.payload().encoded())
    let payload = try JSONObject(parsing: message.message.data.span)
    let opened = try receiver(of: android).open(IncomingPush(payload: payload))
    #expect(opened.opened.claims.messageID == message.message.messageID)
    #expect(message.message.messageID != push.push.headers.messageID)
    let bytes = message.request
    let request = try JSONObject(parsing: bytes.span)
    #expect(request["message"]?.object?["token"] == "fX9:A")
    #expect(pushes[2].result == .failure(.otherTopic))
  }

  @Test("a client of APNs gets none of FCM's") func clients() throws {
    let pushes = try sealer().seal(
      notification, to: [android(Device(.x25519ChaChaPoly), "a")], at: Device.now)
    #expect(throws: DeviceError.carriedByFCM) { try pushes[0].addressedPush }
  }

  @Test("a call is for iPhones, and an Android phone says so") func calls() throws {
    let iPhone = EnrolledDevice(
      address: Device.address(1), keys: try Device(.x25519ChaChaPoly).keys.publicKeys)
    let pushes = try sealer(.voip).seal(
      notification, to: [iPhone, android(Device(.x25519ChaChaPoly), "a")], at: Device.now)
    #expect(throws: Never.self) { try pushes[0].result.get() }
    #expect(pushes[1].result == .failure(.seal(.notCarriedByFCM(.voip))))
  }

  // MARK: Enrolments

  @Test("a proof request goes as data, and its answer registers the phone") func proof() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: Device.now)
    let address = try FCMAddress(topic: Topic(Self.application), token: FCMToken("fX9:A"))
    let audience = try Audience("https://push.example.com")
    func enrolment(_ enrolment: Enrolment) throws -> Enrolment {
      try Enrolment(parsing: enrolment.encoded(), audience: audience, services: [.apns, .fcm])
    }
    let first = try enrolment(keys.enrol(address: address, for: audience, at: Device.now))
    #expect(first.address == .fcm(address))
    var registration = try Registration(name: "ada", enrolment: first)
    let pending = try #require(registration.pending)
    #expect(pending.address == .fcm(address))
    let message = try sealer().sealForFCM(pending.request, to: pending.recipient, at: Device.now)
    #expect(message.isProofRequest && message.delivery.priority == .normal)
    #expect(message.delivery.timeToLive == 2_419_200)
    let receiver = Receiver(
      topic: address.topic, keys: keys.device, senders: try backend.keys.publicKeys,
      clock: ManualClock(Device.now))
    let opened = try receiver.openProofRequest(envelope(of: message))
    let answer = try keys.answer(
      opened.request, openedBy: opened.opened.recipient, address: address, for: audience, at: Device.now
    ).get()
    #expect(try registration.update(with: enrolment(answer)) == .registered)
    #expect(EnrolledDevice(registration).address == .fcm(address))
  }

  @Test("nothing is asked without a signature") func anonymous() throws {
    let request = ProofRequest(
      audience: try Audience("a"), identity: try #require(Thumbprint([UInt8](repeating: 1, count: 32))),
      proof: .random())
    let sealer = Sealer.anonymous(topic: Device.topic)
    let recipient = try Device(.x25519ChaChaPoly).keys.publicKeys.recipient()
    #expect(throws: SealError.anonymousRequest) { try sealer.sealForFCM(request, to: recipient) }
  }

  @Test("a file of recipients has Android phones if its reader delivers to them") func files() throws {
    let folder = try TemporaryFolder()
    let set = try Device(.x25519ChaChaPoly).keys.publicKeys.encoded()
    let keys = String(decoding: try JSONObject(parsing: set.span).encoded(), as: UTF8.self)
    func read(_ members: String, services: Set<PushService> = [.apns, .fcm]) throws -> RecipientFile {
      let line = #"{"v":1,\#(members),"keys":\#(keys)}\#n"#
      return try RecipientFile(path: folder.write(line, to: "devices.jsonl"), services: services)
    }
    let line = #""service":"fcm","topic":"com.example.my_app","token":"fX9:A""#
    let file = try read(line)
    #expect(file.devices[0].address.token == .fcm(try FCMToken("fX9:A")))
    #expect(file.device(named: "fX9:A") != nil)
    func fault(_ members: String, services: Set<PushService> = [.apns, .fcm]) -> RecipientFileError.Fault? {
      let error = #expect(throws: RecipientFileError.self) { try read(members, services: services) }
      guard case .line(1, let fault, _)? = error else { return nil }
      return fault
    }
    #expect(fault(line, services: [.apns]) == .registration(.unsupportedService))
    #expect(fault(line + #","environment":"sandbox""#) == .invalidMember("environment"))
    #expect(fault(line.replacing("fX9:A", with: "a b")) == .invalidMember("token"))
    #expect(fault(line.replacing("my_app", with: "my-app")) == .invalidMember("topic"))
    #expect(fault(line.replacing("fcm", with: "hms")) == .invalidMember("service"))
    let apns = #""topic":"com.example.my_app","environment":"sandbox","token":"00ff""#
    #expect(fault(apns) == .invalidMember("topic"))
  }

  // MARK: Lint

  private func findings(_ text: String) throws -> [String] {
    let message = try JSONObject(parsing: Array(text.utf8).span)
    return Lint(ofFCM: message).findings.map { "\($0.isFault ? "!" : "")\($0.key) \($0.code)" }
  }

  @Test("what a sealer makes leaves nothing to say") func clean() throws {
    let message = try sealer().sealForFCM(job(to: Device(.x25519ChaChaPoly)))
    #expect(Lint(message).findings.isEmpty)
    for bytes in [message.data, message.request(), message.request(to: try FCMToken("a"))] {
      #expect(Lint(ofFCM: try JSONObject(parsing: bytes.span)).findings.isEmpty)
    }
    let collapsing = try sealer().sealForFCM(
      job(to: Device(.x25519ChaChaPoly), HeaderOptions(collapseID: "chat")))
    #expect(Lint(collapsing).findings.map(\.key) == ["android.collapse_key"])
  }

  @Test("what Android shows without the app, and what everyone can read, is named") func named() throws {
    let message = try sealer().sealForFCM(job(to: Device(.x25519ChaChaPoly)))
    let sealed = try JSONObject(parsing: message.data.span)
    let envelope = try #require(sealed["ENCRYPTED_DATA"]?.string)
    let data = #""ENCRYPTED_DATA":"\#(envelope)""#
    #expect(
      try findings(#"{"message":{"notification":{"title":"Ada"},"data":{\#(data)}}}"#)
        == ["notification visible-notification"])
    #expect(
      try findings(#"{"data":{\#(data)},"android":{"priority":"HIGH","notification":{"body":"B"}}}"#)
        == ["android.notification visible-notification"])
    #expect(try findings(#"{\#(data),"chat":"ada"}"#) == ["data.chat visible-custom-key"])
    #expect(
      try findings(#"{"chat":"ada"}"#) == ["data.ENCRYPTED_DATA not-sealed", "data.chat visible-custom-key"])
    #expect(try findings(#"{"ENCRYPTED_DATA":"Lunch"}"#) == ["data.ENCRYPTED_DATA not-an-envelope"])
    #expect(
      try findings(#"{"message":{"fcm_options":{},"data":{\#(data)}}}"#) == ["fcm_options visible-member"])
  }

  @Test("what FCM refuses is a fault") func refused() throws {
    let long = String(repeating: "A", count: 4083)
    #expect(try findings(#"{"ENCRYPTED_DATA":"\#(long)"}"#).first == "!data too-large")
    #expect(try !findings(#"{"ENCRYPTED_DATA":"\#(long.dropLast())"}"#).contains("!data too-large"))
    #expect(try findings(#"{"ENCRYPTED_DATA":7}"#).first == "!data.ENCRYPTED_DATA must-be-string")
    #expect(try findings(#"{"from":"a"}"#).first == "!data.from reserved-name")
    #expect(try findings(#"{"google.x":"a"}"#).first == "!data.google.x reserved-name")
  }
}
