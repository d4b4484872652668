import TestSupport
import Testing

@testable import PushWorker

/// What a worker's parts tell each other.
@Suite(.hangGuard) struct BoardTests {
  @Test("once it is closed, no batch begins, although one was under way")
  func closed() async {
    let board = JobBoard(WorkerConfiguration())
    #expect(board.beginBatch())
    let closing = Task.immediate { await board.close() }
    board.endBatch()
    await closing.value
    #expect(!board.beginBatch())
  }
}
