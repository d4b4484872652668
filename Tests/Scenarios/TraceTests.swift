import Foundation
import TestSupport
import Testing

@Suite("A trace, through the worker's log", .hangGuard)
struct TraceTests {
  private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-0"

  @Test("a job whose trace is recorded is in the log when it is done, and one whose trace is not is not")
  func done() async throws {
    let scene = try await WorkScene()
    try await scene.enrol()
    for flag in ["1", "0"] {
      let run = try await scene.tool.daemon(
        "enqueue \(scene.store) --person ada-lovelace --traceparent \(Self.trace)\(flag)",
        input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
      #expect(run.status == 0, "\(run.errors)")
    }
    let log = try await scene.workOnce().errors
    #expect(log.contains(#""event":"done","job":1,"traceparent":"\#(Self.trace)1","devices":1}"#), "\(log)")
    #expect(!log.contains("\(Self.trace)0"))
    try await scene.end()
  }

  @Test("a job that is given up is there in any case")
  func discarded() async throws {
    let scene = try await WorkScene()
    let run = try await scene.tool.daemon(
      "enqueue \(scene.store) --person nobody --topic com.example.other --traceparent \(Self.trace)0",
      input: .text(#"{"aps":{"alert":"Lunch?"}}"#))
    #expect(run.status == 0, "\(run.errors)")
    let log = try await scene.workOnce().errors
    #expect(log.contains(#""event":"discarded","job":1,"traceparent":"\#(Self.trace)0""#), "\(log)")
    try await scene.end()
  }

  @Test("what is no traceparent is refused")
  func wrong() async throws {
    let run = try await Tool().daemon(
      "enqueue --store push.sqlite --person ada --traceparent 00", input: .text("{}"))
    #expect(run.status == 64 && run.errors.contains("traceparent of W3C's Trace Context"), "\(run.errors)")
  }
}
