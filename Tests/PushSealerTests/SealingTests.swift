import PushCrypto
import PushCore
import PushKeys
import PushSealer
import Testing

struct SealingTests {
  private let backend = Backend()

  @Test("the content is the notification, signed for the device", arguments: Suite.available)
  func signed(suite: Suite) throws {
    let device = Device(suite)
    var notification = RemoteNotification(title: "Ada", body: "Lunch?")
    notification.badge = 3
    notification.custom["chat"] = 42
    let messageID = MessageID.random()
    let push = try backend.sealer().seal(
      notification, to: device, messageID: messageID, lifetime: Lifetime(seconds: 60)!)
    let content = try device.open(push)
    #expect(content.type == .notification)
    #expect(content.content == (try notification.payload().encoded()))
    #expect(
      content.claims
        == Claims(messageID: messageID, issuedAt: Device.now, lifetime: Lifetime(seconds: 60)!))
    let signer = try backend.keys.signingKey().publicKey
    #expect(content.signature?.keyID == signer.thumbprint.keyID)
    let binding = MessageBinding(
      topic: Device.topic, suite: suite, recipient: try device.recipient.thumbprint)
    let sender = try #require(SenderKey(signer))
    #expect(sender.hasSigned(content, for: binding))
  }

  @Test("an anonymous sealer signs nothing", arguments: Suite.available)
  func anonymous(suite: Suite) throws {
    let device = Device(suite)
    let push = try backend.sealer(isSigned: false).seal(RemoteNotification(body: "b"), to: device)
    let content = try device.open(push)
    #expect(content.signature == nil)
    #expect(text(content.content) == #"{"aps":{"alert":{"body":"b"}}}"#)
  }

  @Test("the envelope names the recipient's key and suite", arguments: Suite.available)
  func envelope(suite: Suite) throws {
    let device = Device(suite)
    let envelope = try backend.sealer().seal(RemoteNotification(body: "b"), to: device).envelope()
    #expect(envelope.suite == suite)
    #expect(envelope.keyID == (try device.recipient.thumbprint.keyID))
  }

  @Test("a message for one topic does not open for another")
  func bound() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = Sealer(topic: try Topic("com.example.other"), signingKey: try backend.keys.signingKey())
    let push = try sealer.seal(RemoteNotification(body: "b"), to: device)
    #expect(throws: CryptoError.notAuthentic) { try device.open(push) }
  }

  @Test("a raw payload is kept to the byte")
  func rawPayload() throws {
    let json =
      #"{"z":1,"aps":{"alert":{"body":"b","new":null},"badge":7,"x":[1.10,1E+2,-0,0.0]},"#
      + #""big":123456789012345678901234567890,"null":null,"a":[null,true,false,{}],"#
      + #""o":{"z":1,"a":2,"":""},"é":"\u0001/\"\\","huge":1e400}"#
    let device = Device(.x25519ChaChaPoly)
    let push = try backend.sealer().seal(json: json, to: device)
    #expect(text(try device.open(push).content) == json)
  }

  @Test("white space and needless escapes of a raw payload are not sealed")
  func canonical() throws {
    let device = Device(.x25519ChaChaPoly)
    let push = try backend.sealer().seal(
      json: #" { "aps" : {"alert":"\u0061\/" } } "#, to: device)
    #expect(text(try device.open(push).content) == #"{"aps":{"alert":"a/"}}"#)
  }

  @Test("two seals of a message have nothing in common but the message", arguments: Suite.available)
  func unlinkable(suite: Suite) throws {
    let device = Device(suite)
    let sealer = try backend.sealer()
    let messageID = MessageID.random()
    let notification = RemoteNotification(body: "again")
    let first = try sealer.seal(notification, to: device, messageID: messageID)
    let second = try sealer.seal(notification, to: device, messageID: messageID)
    #expect(try first.envelope().encapsulatedKey != second.envelope().encapsulatedKey)
    let ciphertexts = try (first.envelope().ciphertext, second.envelope().ciphertext)
    let agreeing = zip(ciphertexts.0, ciphertexts.1).count { $0 == $1 }
    #expect(agreeing < 20, "of 272 bytes about one agrees by chance")
    #expect(try device.open(first) == device.open(second))
    #expect(first.headers == second.headers)
  }

  @Test("a job that is tried later keeps the message's identity")
  func retried() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer()
    let messageID = MessageID.random()
    let notification = RemoteNotification(body: "again")
    let first = try sealer.seal(notification, to: device, messageID: messageID)
    let second = try sealer.seal(
      notification, to: device.recipient, messageID: messageID, at: Device.now.advanced(by: .seconds(60)))
    #expect(first.headers.messageID == second.headers.messageID)
    #expect(try device.open(second).content == device.open(first).content)
    #expect(try device.open(second).claims.issuedAt == Device.now.advanced(by: .seconds(60)))
    #expect(second.headers.expiration == first.headers.expiration.advanced(by: .seconds(60)))
  }

  @Test("without an identity each message gets its own")
  func identities() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer()
    let pushes = try (0..<10).map { _ in
      try sealer.seal(RemoteNotification(body: "b"), to: device.recipient, at: Device.now)
    }
    #expect(Set(pushes.map(\.headers.messageID)).count == 10)
  }

  @Test("encapsulated keys never repeat")
  func freshKeys() throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer(isSigned: false)
    var seen: Set<[UInt8]> = []
    for _ in 0..<2000 {
      seen.insert(try sealer.seal(RemoteNotification(body: "b"), to: device).envelope().encapsulatedKey)
    }
    #expect(seen.count == 2000)
  }

  @Test("one sealer serves eight tasks")
  func shared() async throws {
    let device = Device(.x25519ChaChaPoly)
    let sealer = try backend.sealer()
    let bodies = try await withThrowingTaskGroup(of: [String].self) { group in
      for task in 0..<8 {
        group.addTask {
          try (0..<40).map { index in
            let push = try sealer.seal(RemoteNotification(body: "\(task)-\(index)"), to: device)
            return text(try device.open(push).content)
          }
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
    }
    let expected = (0..<8).flatMap { task in
      (0..<40).map { #"{"aps":{"alert":{"body":"\#(task)-\#($0)"}}}"# }
    }
    #expect(bodies == Set(expected))
  }
}
