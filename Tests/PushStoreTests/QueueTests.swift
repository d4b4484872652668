import PushEnvelope
import PushPayload
import PushStore
import Testing

@Suite("A queue")
struct QueueTests {
  @Test(arguments: Engine.all) func enqueuesAMessageOnce(engine: Engine) async throws {
    let store = try await engine.start().store
    let job = try Job(["aps": ["alert": "Lunch"]], to: "alice", at: start)
    let again = try Job(["aps": ["alert": "Dinner"]], to: "bob", messageID: job.messageID, at: start)
    let first = try await store.enqueue([job])
    #expect(try await store.enqueue([again]) == first)
    #expect(
      try await store.claim(atMost: 9, for: .seconds(60), sender: nil).map { try $0.job.get() } == [job])
  }
}
