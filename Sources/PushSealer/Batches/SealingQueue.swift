internal import PushKeys
private import Synchronization

/// Jobs between the input and the consumer: some wait for a worker, some are being sealed, some are sealed.
///
/// One reader adds jobs, workers turn them into results a chunk at a time, and one consumer gets these in order. Reader
/// and consumer wait in it; workers come and go.
final class SealingQueue<Job: Sealable, Failure: Error>: Sendable {
  /// Jobs that are sealed together.
  struct Chunk: Sendable {
    /// The most jobs.
    static var maximumCount: Int { SealingBatch.maximumCount }

    /// Which one it is, from 0.
    let number: Int
    fileprivate(set) var jobs: [Job]
  }

  /// What the consumer gets.
  enum Step: Sendable {
    /// The results of the next chunk.
    case results([SealedJob<Job>])
    /// Nothing more, perhaps because the input failed.
    case end(Failure?)
  }

  private let state: Mutex<State>

  /// Makes an empty queue for at most so many workers; it has room for two chunks of each.
  init(workerLimit: Int) { state = Mutex(State(workerLimit: workerLimit)) }

  /// Waits until one more job may be read, and says whether anybody still wants it.
  func waitForRoom() async -> Bool {
    await withCheckedContinuation { continuation in update { $0.reader = continuation } }
  }

  /// Takes a job in, and says whether another worker is to start.
  func add(_ job: Job) -> Bool { update { $0.add(job) } }

  /// Notes that the input has ended, perhaps by an error.
  func end(_ failure: Failure?) { update { $0.end = .end(failure) } }

  /// The next chunk for a worker; null if the worker is to go.
  func takeChunk() -> Chunk? { update { $0.takeChunk() } }

  /// Takes a chunk's results in.
  func give(_ results: [SealedJob<Job>], of chunk: Chunk) { update { $0.give(results, of: chunk) } }

  /// Waits for the consumer's next step, and takes what it got before for used up.
  func next() async -> Step {
    await withCheckedContinuation { continuation in
      update {
        precondition($0.consumer == nil, "one task at a time asks an iterator")
        $0.consumer = continuation
        $0.useUp()
      }
    }
  }

  /// Lets everything go: the reader, the workers and the consumer find nothing more to do.
  func stop() { update { $0.stop() } }

  /// Changes the state, and wakes whoever waited for that.
  private func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    let (value, wake) = state.withLock { (change(&$0), $0.wake()) }
    wake.run()
    return value
  }
}

extension SealingQueue {
  fileprivate struct State {
    let workerLimit: Int
    var reader: CheckedContinuation<Bool, Never>?
    var consumer: CheckedContinuation<Step, Never>?
    /// How the input has ended.
    var end: Step?

    private var isStopped = false
    private var workerCount = 0
    /// What no worker has taken.
    private var waiting: [Chunk] = []
    /// Results that the consumer did not get, by their chunk's number.
    private var sealed: [Int: [SealedJob<Job>]] = [:]
    /// How many chunks were begun.
    private var chunkCount = 0
    /// How many chunks the consumer got.
    private var givenCount = 0
    /// How many jobs were read that the consumer has not used up.
    private var jobCount = 0
    /// How many of these the consumer has.
    private var inUseCount = 0

    init(workerLimit: Int) { self.workerLimit = workerLimit }

    mutating func add(_ job: Job) -> Bool {
      guard !isStopped else { return false }
      jobCount += 1
      if let last = waiting.indices.last, waiting[last].jobs.count < Chunk.maximumCount {
        waiting[last].jobs.append(job)
      } else {
        waiting.append(Chunk(number: chunkCount, jobs: [job]))
        chunkCount += 1
      }
      guard workerCount < workerLimit else { return false }
      workerCount += 1
      return true
    }

    mutating func takeChunk() -> Chunk? {
      guard waiting.isEmpty else { return waiting.removeFirst() }
      workerCount -= 1
      return nil
    }

    mutating func give(_ results: [SealedJob<Job>], of chunk: Chunk) {
      if !isStopped { sealed[chunk.number] = results }
    }

    mutating func useUp() {
      jobCount -= inUseCount
      inUseCount = 0
    }

    mutating func stop() {
      isStopped = true
      waiting = []
      sealed = [:]
    }

    mutating func wake() -> Wake {
      var wake = Wake()
      if isStopped || jobCount < 2 * workerLimit * Chunk.maximumCount {
        wake.reader = reader.take().map { ($0, !isStopped) }
      }
      if consumer != nil, let step = step() { wake.consumer = consumer.take().map { ($0, step) } }
      return wake
    }

    /// What the consumer gets now; null if it must wait.
    private mutating func step() -> Step? {
      if isStopped { return .end(nil) }
      guard let results = sealed.removeValue(forKey: givenCount) else {
        return givenCount == chunkCount ? end : nil
      }
      givenCount += 1
      inUseCount = results.count
      return .results(results)
    }
  }

  /// Who goes on, and with what.
  fileprivate struct Wake: Sendable {
    var reader: (CheckedContinuation<Bool, Never>, Bool)?
    var consumer: (CheckedContinuation<Step, Never>, Step)?

    func run() {
      if let (reader, isWanted) = reader { reader.resume(returning: isWanted) }
      if let (consumer, step) = consumer { consumer.resume(returning: step) }
    }
  }
}
