import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A job's place in a trace", .hangGuard)
struct TraceParentTests {
  private static let (trace, parent) = ("0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331")

  @Test(
    "says whether the trace is recorded",
    arguments: [("00", false), ("01", true), ("0a", false), ("ff", true), ("09", true)])
  func sampled(flags: String, isSampled: Bool) throws {
    let traceparent = try #require(TraceParent("00-\(Self.trace)-\(Self.parent)-\(flags)"))
    #expect(traceparent.isSampled == isSampled)
    #expect(traceparent.text.utf8.count == 55)
  }

  @Test(
    "has one form",
    arguments: [
      "", "00-\(trace)-\(parent)", "00-\(trace)-\(parent)-01-", "ff-\(trace)-\(parent)-01",
      "00-\(trace.uppercased())-\(parent)-01", "00-\(String(repeating: "0", count: 32))-\(parent)-01",
      "00-\(trace)-0000000000000000-01", "00-\(trace)-\(parent)-1", "00-\(trace.dropLast())-0\(parent)-01",
    ])
  func wrong(text: String) { #expect(TraceParent(text) == nil) }

  @Test("is kept with the job", arguments: Engine.all)
  func kept(engine: Engine) async throws {
    let store = try await engine.start().store
    let traceparent = try #require(TraceParent("00-\(Self.trace)-\(Self.parent)-01"))
    let job = try Job(.lunch, to: "ada", traceparent: traceparent, at: start)
    try await store.enqueue([job])
    let leased = try await store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(try leased.first?.job.get() == job && leased.first?.job.get().traceparent == traceparent)
  }

  @Test("that is wrong makes a dead letter that names the column", arguments: Engine.all)
  func wrongRow(engine: Engine) async throws {
    let bench = try await engine.start()
    let payload = #"{"aps":{"alert":"one"}}"#
    try await bench.insert([.person: "ada", .payload: payload, .traceparent: "00-\(Self.trace)"])
    let leased = try await bench.store.lease(atMost: 9, for: .seconds(60), sender: nil)
    #expect(throws: JobFault.wrong(.traceparent, "a traceparent of W3C's Trace Context, of 55 characters")) {
      try leased.first?.job.get()
    }
  }
}
