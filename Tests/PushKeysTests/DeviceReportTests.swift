import PushCore
import PushEnrolment
import PushKeys
import TestSupport
import Testing

@Suite("What a device says of itself")
struct DeviceReportTests {
  private static let digest = String(repeating: "A", count: 43)

  private var counts: ReceptionCounts {
    var counts = ReceptionCounts(from: start)
    counts.addOpened(3)
    counts.addDegraded("unknown-key")
    counts.addDegraded("of a later version", count: 2)
    return counts
  }

  private func set() throws -> SenderKeySet {
    var root = KeySetEditor(KeySet(generating: .root, at: start))
    return try root.signSenders(
      KeySet(generating: .sender, at: start).publicKeys, for: Signed.topic, at: start)
  }

  /// The report of an enrolment with these claims.
  private func report(_ claims: [String: String?]) throws -> DeviceReport? {
    try Enrolment(EnrolmentFault.text(claims: EnrolmentFault.claims(claims))).report
  }

  @Test func isSignedAndRead() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let report = DeviceReport(senders: try set().version, counts: counts)
    let made = try keys.enrol(address: Signed.address, for: Signed.audience, report: report, at: start)
    #expect(made.report == report)
    #expect(try Enrolment(made.text).report == report)
    #expect(report.counts?.degraded == ["unknown-key": 1, "other": 2])
    #expect(report.counts?.firstDay == start.seconds / 86_400)
  }

  @Test func isSignedWithAnAnswer() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    let registration = try Registration(
      name: "a", enrolment: keys.enrol(address: Signed.address, for: Signed.audience, at: start))
    let pending = try #require(registration.pending)
    let report = DeviceReport(counts: counts)
    let answer = try keys.answer(
      pending.request, openedBy: pending.recipient.thumbprint, address: Signed.address, for: Signed.audience,
      report: report, at: start
    ).get()
    #expect(answer.report == report && answer.proof == pending.request.proof)
  }

  @Test func isAbsentUnlessItIsMade() throws {
    #expect(try report([:]) == nil)
  }

  @Test func namesASetByTheDigestOfItsText() throws {
    let (first, second) = (try set(), try set())
    #expect(first.version == first.version && first.version != second.version)
    #expect(first.version.serial == first.serial && first.version.digest.utf8.count == 43)
  }

  @Test func isOfTheSetInTheFile() throws {
    let folder = try TemporaryFolder()
    var root = KeySetEditor(KeySet(generating: .root, at: start))
    let file = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: try root.keySet.publicKeys, topic: Signed.topic)
    #expect(file.version == nil)
    let set = try root.signSenders(
      KeySet(generating: .sender, at: start).publicKeys, for: Signed.topic, at: start)
    try file.accept(Array(set.text.utf8).span)
    #expect(file.version == set.version)
  }

  @Test(
    "a malformed set counts as absent, and the enrolment is accepted",
    arguments: [
      "null", "7", #""x""#, "[]", "{}", #"{"serial":7}"#, #"{"digest":"\#(digest)"}"#,
      #"{"serial":0,"digest":"\#(digest)"}"#, #"{"serial":-1,"digest":"\#(digest)"}"#,
      #"{"serial":1.0,"digest":"\#(digest)"}"#, #"{"serial":"7","digest":"\#(digest)"}"#,
      #"{"serial":9007199254740992,"digest":"\#(digest)"}"#, #"{"serial":7,"digest":"\#(digest)A"}"#,
      #"{"serial":7,"digest":"\#(digest.dropLast())B"}"#, #"{"serial":7,"digest":7}"#,
    ]) func malformedSet(value: String) throws
  {
    #expect(try report(["senders": value]) == nil)
  }

  @Test func mayHaveUnknownMembers() throws {
    let report = try report(["senders": #"{"serial":7,"digest":"\#(Self.digest)","more":[1]}"#, "more": "1"])
    #expect(report?.senders?.serial == 7 && report?.counts == nil)
  }

  @Test(
    "a count that is none counts as absent",
    arguments: ["-1", "1.0", "1e2", #""1""#, "null", "9007199254740992", "99999999999999999999", "{}"])
  func malformedCount(value: String) throws {
    let text = #"{"since":\#(value),"opened":\#(value),"degraded":{"expired":\#(value),"replayed":1}}"#
    let counts = try #require(try report(["counts": text])?.counts)
    #expect(counts.firstDay == nil && counts.opened == 0 && counts.degraded == ["replayed": 1])
  }

  @Test("counts that are none count as absent", arguments: ["null", "7", "[]", #""x""#])
  func malformedCounts(value: String) throws {
    #expect(try report(["counts": value]) == nil)
    let counts = try #require(try report(["counts": #"{"degraded":\#(value)}"#])?.counts)
    #expect(counts.opened == 0 && counts.degraded.isEmpty)
  }

  @Test func staysAtTheGreatestCount() throws {
    let most = ReceptionCounts.maximum
    var counts = ReceptionCounts(from: start)
    for count in [most - 1, 5, most, .max, -7] {
      counts.addOpened(count)
      counts.addDegraded("deadline", count: count)
    }
    #expect(counts.opened == most && counts.degraded == ["deadline": most])
    let text = #"{"opened":\#(most),"degraded":{"a":\#(most),"b":\#(most),"other":1}}"#
    #expect(try report(["counts": text])?.counts?.degraded == ["other": most])
  }

  /// FORMAT.md, [11.18]: what a proof proves has not changed.
  @Test func makesNoEnrolmentAnother() throws {
    var keys = DeviceKeys(of: .x25519ChaChaPoly, at: start)
    var registration = try Registration(
      name: "a", enrolment: keys.enrol(address: Signed.address, for: Signed.audience, at: start))
    let asked = registration.pending?.request
    let report = DeviceReport(senders: try set().version, counts: counts)
    let change = try registration.update(
      with: keys.enrol(address: Signed.address, for: Signed.audience, report: report, at: start))
    #expect(change == .pending && registration.pending?.request == asked)
    #expect(try Registration(parsing: registration.encoded().span).enrolment.report == report)
  }
}
