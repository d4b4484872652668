import PushCore
import PushKeys
import PushReceiver
import PushTesting
import Testing

/// When another system's envelope is opened, and when it is not.
struct FormatAcceptanceTests {
  private let parties = Parties()
  private let format = OtherFormat()

  private func outcome(_ push: IncomingPush, _ accepts: AcceptedEnvelopes, at now: UnixTime = Parties.now)
    -> Outcome
  {
    parties.receiver(accepts: accepts, at: now).reception(of: push).outcome
  }

  @Test("it is opened if the policy names its format")
  func named() {
    let reception = parties.receiver(accepts: .others(format)).reception(of: .other("Hello"))
    #expect(reception.outcome == .openedOther(format: "other"))
    #expect(reception.content.body == "Hello")
  }

  @Test("it is not opened if the policy does not")
  func notNamed() {
    #expect(outcome(.other("Hello"), .signed) == .degraded(.noEnvelope))
  }

  @Test("anonymous messages of this package's are not accepted because a format is")
  func anonymous() throws {
    var draft = Draft()
    draft.isSigned = false
    #expect(outcome(try parties.push(draft), .others(format)) == .degraded(.anonymousNotAccepted))
  }

  @Test("an envelope of this package's goes first, and the format is not asked")
  func nativeFirst() throws {
    let push = IncomingPush.other("Hello", envelope: .string(try parties.envelope().text))
    let reception = parties.receiver(accepts: .others(format)).reception(of: push)
    #expect(reception.content.body == "secret")
    #expect(format.asked.count == 0)
  }

  @Test("what does not open as this package's is not tried as another's")
  func noFallback() throws {
    let text = try parties.envelope().text
    let push = IncomingPush.other("Hello", envelope: .string(text))
    let none = KeySet(generating: .device, at: Parties.now)
    let stranger = try KeySet(generating: .sender, at: Parties.now).publicKeys
    let accepts = AcceptedEnvelopes.others(format)
    let late = Parties.now.advanced(by: .seconds(2_592_301))
    var suites = AcceptedEnvelopes.others(format, until: late.advanced(by: .seconds(1)))
    #expect(
      parties.receiver(keys: none, accepts: accepts).reception(of: push).outcome == .degraded(.unknownKey))
    #expect(
      parties.receiver(senders: stranger, accepts: accepts).reception(of: push).outcome
        == .degraded(.unknownSender))
    #expect(
      parties.receiver(keys: LockedKeyStore(), accepts: accepts).reception(of: push).outcome
        == .degraded(.keyLocked))
    #expect(outcome(push, suites, at: late) == .degraded(.expired))
    suites.suites = [.p256AESGCM]
    #expect(outcome(push, suites) == .degraded(.suiteNotAccepted))
    #expect(format.asked.count == 0)
  }

  @Test("an altered ciphertext of this package's is not tried as another's")
  func altered() throws {
    var bytes = try parties.envelope().encoded()
    bytes[bytes.count - 1] ^= 1
    let push = IncomingPush.other("Hello", envelope: .string(base64URL(bytes)))
    #expect(outcome(push, .others(format)) == .degraded(.notAuthentic))
    #expect(format.asked.count == 0)
  }

  @Test("a suite that this version does not know is this package's")
  func unknownSuite() throws {
    var bytes = try parties.envelope().encoded()
    bytes[1] = 0x7f
    let push = IncomingPush.other("Hello", envelope: .string(base64URL(bytes)))
    #expect(outcome(push, .others(format)) == .degraded(.unsupportedSuite))
    #expect(format.asked.count == 0)
  }

  @Test(
    "what is no envelope of this package's may be another's",
    arguments: ["U2FsdGVkX18BAgMEBQYHCA==", "", "*", "U2FsdGVkX18BAgMEBQYHCP4gQNgG45IR"] as [JSONValue] + [1])
  func notNative(_ envelope: JSONValue) {
    #expect(outcome(.other("Hello", envelope: envelope), .others(format)) == .openedOther(format: "other"))
  }

  @Test("the first format that recognizes a push is the only one that is tried")
  func firstOnly() {
    let broken = OtherFormat(error: .notAuthentic)
    #expect(outcome(.other("Hello"), .others(broken, ThirdFormat())) == .degraded(.otherFormat))
    let elsewhere = OtherFormat(member: "elsewhere")
    #expect(
      outcome(.other("Hello"), .others(elsewhere, ThirdFormat())) == .openedOther(format: "third"))
  }

  @Test("a format whose time is over does not stand before one that is accepted")
  func overBehind() {
    let over = AcceptedFormat(OtherFormat(error: .notAuthentic), until: Parties.now, reading: .text)
    let accepted = AcceptedFormat(
      ThirdFormat(), until: Parties.now.advanced(by: .seconds(1)), reading: .text)
    #expect(
      outcome(.other("Hello"), AcceptedEnvelopes(formats: [over, accepted])) == .openedOther(format: "third"))
  }

  @Test(
    "what begins as this package's is not tried as another's, cut or spoilt",
    arguments: ["AQ", "AQEAAA", "AQH_"])
  func spoilt(_ text: String) {
    #expect(
      outcome(.other("Hello", envelope: .string(text)), .others(format)) == .degraded(.malformedEnvelope))
    #expect(format.asked.count == 0)
  }

  @Test("what is longer than any envelope is not tried as another's")
  func tooLong() {
    let text = String(repeating: "A", count: 8193)
    #expect(outcome(.other("Hello", envelope: .string(text)), .others(format)) == .degraded(.tooLarge))
  }

  @Test("nothing is opened for which there is no time any more")
  func tooLate() async {
    _ = await parties.receiver(accepts: .others(format)).receive(.other("Hello"), deadline: .zero)
    #expect(format.asked.count == 0)
  }

  @Test("it is opened until the second before its time is over")
  func lastSecond() {
    let accepts = AcceptedEnvelopes.others(format, until: Parties.now.advanced(by: .seconds(10)))
    #expect(
      outcome(.other("Hello"), accepts, at: Parties.now.advanced(by: .seconds(9)))
        == .openedOther(format: "other"))
    #expect(
      outcome(.other("Hello"), accepts, at: Parties.now.advanced(by: .seconds(10))) == .degraded(.otherFormat)
    )
  }

  @Test("data is never taken from it")
  func data() {
    let receiver = parties.receiver(accepts: .others(format))
    #expect(throws: DegradeReason.noEnvelope) {
      try receiver.openData(EnvelopeField(data: IncomingPush.other("Hello").payload), as: .background)
    }
  }

  @Test(
    "why it does not open is told by its code",
    arguments: [
      .absent, .malformed(member: "other"), .tooLarge, .notAuthentic, .wrongKey, .unavailable,
    ] as [EnvelopeFormatError])
  func reasons(_ error: EnvelopeFormatError) async throws {
    let notes = Notes()
    var receiver = parties.receiver(accepts: .others(OtherFormat(error: error)))
    receiver.observers = [notes]
    #expect(await receiver.receive(.other("Hello")).outcome == .degraded(.otherFormat))
    #expect(notes.reports.first?.format?.result == .failed(code: error.code))
  }

  @Test("what does not open shows the best attempt")
  func bestAttempt() {
    let receiver = parties.receiver(accepts: .others(OtherFormat(error: .notAuthentic)))
    #expect(receiver.reception(of: .other("Hello")).content == .bestAttempt(nil))
  }
}
