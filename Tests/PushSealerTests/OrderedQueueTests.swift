import PushCore
import PushKeys
import Testing

@testable import PushSealer

@Suite("The jobs between input and consumer")
struct OrderedQueueTests {
  private let queue = OrderedQueue<SealJob, Int, Never>(workerLimit: 3, chunkLimit: ChunkLimit()) { _ in 0 }
  private let job: SealJob

  init() throws {
    let recipient = try Device(.x25519ChaChaPoly).recipient
    job = SealJob(.notification(RemoteNotification(body: "Lunch?")), to: recipient)
  }

  @Test("a worker is started for a job as long as one is missing")
  func workers() {
    let isMissing = (0..<200).map { _ in queue.add(job) }
    #expect(isMissing == [true, true, true] + Array(repeating: false, count: 197))
  }

  @Test("a worker that found nothing to do is replaced by the next job")
  func replacement() {
    for _ in 0..<3 { _ = queue.add(job) }
    #expect(queue.takeChunk() != nil)
    #expect(queue.takeChunk() == nil)
    #expect([queue.add(job), queue.add(job)] == [true, false])
  }

  @Test("a chunk is what has come, and at most 64 jobs")
  func chunks() {
    for _ in 0..<130 { _ = queue.add(job) }
    let chunks = (0..<4).map { _ in queue.takeChunk() }
    #expect(chunks.map { $0?.inputs.count } == [64, 64, 2, nil])
    #expect(chunks.map { $0?.number } == [0, 1, 2, nil])
    _ = queue.add(job)
    #expect(queue.takeChunk()?.number == 3)
  }

  @Test("a chunk takes no more once it has its size, and the input waits for the consumer")
  func sizes() async throws {
    let limit = ChunkLimit(count: 64, size: 100)
    let queue = OrderedQueue<Int, Int, Never>(workerLimit: 1, chunkLimit: limit) { $0 }
    for size in [60, 60, 10, 90, 20] { _ = queue.add(size) }
    let first = try #require(queue.takeChunk())
    #expect(first.inputs == [60, 60])
    #expect(queue.takeChunk()?.inputs == [10, 90])
    async let isWanted = queue.waitForRoom()
    queue.give([1, 2], of: first)
    guard case .results([1, 2]) = await queue.next() else {
      Issue.record("the first chunk's results do not come")
      return
    }
    async let next = queue.next()
    #expect(await isWanted)
    queue.stop()
    _ = await next
  }

  @Test("nobody gets anything of a queue that was stopped")
  func stopped() async throws {
    for _ in 0..<130 { _ = queue.add(job) }
    let chunk = try #require(queue.takeChunk())
    queue.stop()
    #expect(!queue.add(job))
    #expect(queue.takeChunk() == nil)
    queue.give([], of: chunk)
    #expect(await queue.waitForRoom() == false)
    guard case .end(nil) = await queue.next() else {
      Issue.record("there is more")
      return
    }
  }
}
