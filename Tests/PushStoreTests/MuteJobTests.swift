import PushCore
import PushStore
import StoreSupport
import TestSupport
import Testing

@Suite("A job and a dead letter show neither a text nor a person", .hangGuard)
struct MuteJobTests {
  private static func shown(_ value: Any) -> [String] {
    var dumped = ""
    dump(value, to: &dumped)
    return ["\(value)", String(reflecting: value), dumped]
  }

  @Test func isMute() async throws {
    let store = MemoryStore()
    let job = try Job(.lunch, to: "ada-lovelace")
    let ids = await store.enqueue([job])
    let leased = await store.lease(atMost: 1, for: .seconds(60), sender: nil)
    await store.discard([JobDiscard(leased[0].lease, reason: "expired")])
    let letter = try #require(await store.deadLetters(after: nil, atMost: 1).first)
    for value in [job, leased[0], letter] as [Any] {
      for shown in Self.shown(value) {
        #expect(!shown.contains("Lunch") && !shown.contains("ada-lovelace"), "\(type(of: value)): \(shown)")
      }
    }
    #expect("\(job)" == "job \(job.messageID.text), \(job.payload.encoded().count) bytes")
    #expect("\(letter)" == "dead letter \(ids[0]): expired")
  }
}
