import PushCrypto
import PushAttachments
import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import Testing

struct StandInsTests {
  private let bench = Bench()

  @Test("a locked store is locked for every key")
  func locked() throws {
    let id = try bench.device.publicKeys.recipient().thumbprint.keyID
    #expect(throws: KeyStoreError.locked) { try LockedKeyStore().deviceKey(for: id, at: Bench.now) }
  }

  @Test("a stalled store answers once for each release, from the store behind it")
  func stalled() throws {
    let publicKey = try #require(try bench.device.publicKeys.recipient().publicKey)
    let store = StalledKeyStore(bench.device)
    store.release()
    store.release()
    #expect(try store.deviceKey(for: publicKey.thumbprint.keyID, at: Bench.now)?.publicKey == publicKey)
    let stranger = try Bench().device.publicKeys.recipient().thumbprint.keyID
    let unknown = try store.deviceKey(for: stranger, at: Bench.now)
    #expect(unknown?.publicKey == nil)
  }

  @Test("fixed randomness pins every byte of a message")
  func fixedRandomness() throws {
    let random = FixedRandomness(bytes: Array(0..<32))
    let sealer = Sealer(
      topic: Bench.topic, signer: try bench.backend.signingKey(), policy: SealingPolicy(), random: random)
    let recipient = try bench.device.publicKeys.recipient()
    let messageID = MessageID.random()
    let seal = {
      try sealer.seal(RemoteNotification(body: "b"), to: recipient, messageID: messageID, at: Bench.now)
    }
    #expect(try seal() == seal())
    let secret = random.secret(count: 4)
    let bytes = [UInt8](copying: secret.exposedBytes)
    #expect(bytes == [0, 1, 2, 3])
  }

  @Test("shown content prints as JSON with all its members")
  func json() {
    var content = ShownContent()
    content.title = "t\""
    content.subtitle = "s"
    content.body = "b"
    content.sound = .critical(name: "alarm", volume: 0.5)
    content.badge = 0
    content.launchImageName = "L"
    content.category = "C"
    content.threadIdentifier = "T"
    content.targetContentIdentifier = "W"
    content.interruptionLevel = .timeSensitive
    content.relevanceScore = 0.25
    content.filterCriteria = "F"
    content.attachments = [ShownAttachment(identifier: "1", type: .jpeg, path: "/nowhere/1.jpg")]
    content.userInfo = ["b": .array([.integer(1), .double(1), .boolean(true)]), "a": .string("x")]
    #expect(
      String(decoding: content.json.encoded(), as: UTF8.self)
        == #"{"title":"t\"","subtitle":"s","body":"b","sound":{"critical":1,"name":"alarm","volume":0.5},"#
        + #""badge":0,"launchImageName":"L","category":"C","threadIdentifier":"T","#
        + #""targetContentIdentifier":"W","interruptionLevel":"time-sensitive","relevanceScore":0.25,"#
        + #""filterCriteria":"F","#
        + #""attachments":[{"identifier":"1","type":"image/jpeg","path":"/nowhere/1.jpg"}],"#
        + #""userInfo":{"a":"x","b":[1,1.0,true]}}"#)
  }

  @Test("what is absent is an empty string or null")
  func emptyJSON() {
    #expect(
      String(decoding: ShownContent().json.encoded(), as: UTF8.self)
        == #"{"title":"","subtitle":"","body":"","sound":null,"badge":null,"launchImageName":"","category":"","#
        + #""threadIdentifier":"","targetContentIdentifier":null,"interruptionLevel":"active","#
        + #""relevanceScore":0.0,"filterCriteria":null,"attachments":[],"userInfo":{}}"#)
  }

  @Test("a sound is its name, or an object if it is critical")
  func sounds() {
    var content = ShownContent()
    content.sound = .named("a.caf")
    #expect(content.json["sound"] == "a.caf")
    content.sound = .critical(name: "a.caf")
    #expect(content.json["sound"] == ["critical": 1, "name": "a.caf"])
  }
}
