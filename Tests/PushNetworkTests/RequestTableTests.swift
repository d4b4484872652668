import PushTesting
import Synchronization
import TestSupport
import Testing

@testable import PushNetwork

/// Requests that wait for a stream.
@Suite(.hangGuard) struct RequestTableTests {
  private static func fields() throws -> FieldBlock {
    try #require(FieldBlock(HTTP2Request(path: "/"), authority: "localhost"))
  }

  @Test("A request whose deadline passed while it waited gets no stream, and was not processed")
  func late() throws {
    let outcome = Mutex<RequestTable.Outcome?>(nil)
    var table = RequestTable()
    table.add(try Self.fields(), body: [], number: 1, until: .seconds(5)) { ended in
      outcome.withLock { $0 = ended }
    }
    let isTaken = table.takeWaiting(at: .seconds(5)) != nil
    #expect(!isTaken && table.isEmpty)
    #expect(outcome.withLock(\.self) == .failure(.notProcessed(.deadline)))
  }

  @Test("Requests that end while no stream is free leave no memory behind")
  func ended() async {
    await #expect(processExitsWith: .success) {
      let fields = try Self.fields()
      var table = RequestTable()
      let growth = Heap.growth(repeating: 100_000) { number in
        table.add(fields, body: [], number: UInt64(number), until: .seconds(5)) { _ in }
        _ = table.fail(UInt64(number), for: .cancelled)
      }
      // Each takes more than a hundred bytes, of which some thousand may wait to be removed.
      try #require(growth < 1 << 20)
    }
  }
}
