import PushEnrolment
import PushCore
import PushKeys
import Testing

@Suite("Signing a set of senders")
struct SigningSendersTests {
  private let senders = SenderSetFault.senders
  private var editor = KeySetEditor(KeySet(generating: .root, at: start))

  @Test func takesTheTimeAsTheSerial() throws {
    var editor = editor
    #expect(try editor.signSenders(senders, for: Signed.topic, at: start).serial == start.seconds)
    #expect(editor.keySet.serial == start.seconds)
  }

  @Test func lasts400DaysOrAsLongAsTheRootSays() throws {
    var editor = editor
    let usual = try editor.signSenders(senders, for: Signed.topic, at: start)
    #expect(usual.expiresAt == start.advanced(by: .seconds(400 * 86_400)))
    let short = try editor.signSenders(
      senders, for: Signed.topic, expiresAt: start.advanced(by: .seconds(1)), at: start)
    #expect(short.expiresAt == start.advanced(by: .seconds(1)))
    let last = try editor.signSenders(senders, for: Signed.topic, at: .distantFuture)
    #expect(last.expiresAt == .distantFuture)
  }

  @Test(arguments: [0, -1, -1_000_000] as [Int64]) func risesWhateverTheClockSays(seconds: Int64) throws {
    var editor = editor
    let first = try editor.signSenders(senders, for: Signed.topic, at: start)
    let second = try editor.signSenders(
      senders, for: Signed.otherTopic, at: start.advanced(by: .seconds(seconds)))
    #expect(second.serial == first.serial + 1)
  }

  @Test func takesAGivenSerial() throws {
    var editor = editor
    #expect(try editor.signSenders(senders, for: Signed.topic, serial: 3, at: start).serial == 3)
    #expect(try editor.signSenders(senders, for: Signed.topic, serial: 4, at: start).serial == 4)
  }

  @Test(arguments: [-1, 0, 5, 6, 1 << 53, .max] as [Int64]) func refusesASerialThatIsNotGreater(serial: Int64)
    throws
  {
    var editor = editor
    try _ = editor.signSenders(senders, for: Signed.topic, serial: 6, at: start)
    #expect(throws: KeySetError.serialNotGreater) {
      try editor.signSenders(senders, for: Signed.topic, serial: serial, at: start)
    }
    #expect(editor.keySet.serial == 6)
  }

  @Test func endsAtTheLastSerial() throws {
    var editor = editor
    let last: Int64 = (1 << 53) - 1
    #expect(try editor.signSenders(senders, for: Signed.topic, serial: last, at: start).serial == last)
    #expect(throws: KeySetError.serialNotGreater) {
      try editor.signSenders(senders, for: Signed.topic, at: start)
    }
  }

  @Test(arguments: [KeyRole.device, .sender, .shared, .identity]) func takesARoot(role: KeyRole) {
    var editor = KeySetEditor(KeySet(generating: role, at: start))
    #expect(throws: KeySetError.wrongRole) { try editor.signSenders(senders, for: Signed.topic, at: start) }
  }

  @Test(arguments: [KeyRole.device, .identity, .root]) func takesSendersKeys(role: KeyRole) throws {
    var editor = editor
    let keys = try KeySet(generating: role, at: start).publicKeys
    #expect(throws: KeySetError.wrongRole) { try editor.signSenders(keys, for: Signed.topic, at: start) }
    #expect(editor.keySet.serial == 0)
  }

  @Test func signsNoMoreThan64KiB() throws {
    var editor = editor
    let keys = (0..<400).flatMap { _ in keyTexts(publicText(KeySet(generating: .sender, at: start))) }
    #expect(throws: KeySetError.tooManyKeys) {
      try editor.signSenders(parsePublic(setText(keys)), for: Signed.topic, at: start)
    }
    #expect(editor.keySet.serial == 0)
  }

  @Test(arguments: [KeyRole.root, .identity]) func hasOneKeyWithoutAnEnd(role: KeyRole) throws {
    let (old, new) = (KeySet(generating: role, at: start), KeySet(generating: role, at: start))
    let keys = [keyTexts(text(old))[0].setting("status", to: #""accepted""#)] + keyTexts(text(new))
    #expect(throws: KeySetError.invalidSetMember("keys")) {
      try parse(#"{"role":"\#(role.rawValue)","serial":0,"keys":[\#(keys.joined(separator: ","))]}"#)
    }
    let ending = text(new).setting("iat", to: #"1,"exp":2"#)
    #expect(throws: KeySetError.invalidSetMember("keys")) { try parse(ending) }
  }

  @Test func doesNotSignItself() throws {
    var editor = editor
    let own = keyTexts(publicText(editor.keySet))
    let keys = try parsePublic(setText(keyTexts(text(senders)) + own))
    #expect(throws: KeySetError.wrongRole) { try editor.signSenders(keys, for: Signed.topic, at: start) }
    #expect(editor.keySet.serial == 0)
  }

  @Test func handsOutTheNextKeyAsAnAcceptedOne() throws {
    var editor = editor
    let sender = KeySet(generating: .sender, at: start)
    let signed = try editor.signSenders(sender.publicKeys, for: Signed.topic, at: start)
    #expect(signed.keys.records.map(\.life.status) == [.active, .accepted])
    #expect(signed.keys.records.map(\.id) == sender.records.map(\.id))
  }
}
