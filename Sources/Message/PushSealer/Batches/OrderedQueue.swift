private import Locks
internal import PushKeys

/// Elements between an input and a consumer: some wait for a worker, some are being worked on, some are done.
///
/// One reader adds elements, workers turn them into results a chunk at a time, and one consumer gets the results in
/// order. The reader and the consumer wait for the queue; workers never do.
final class OrderedQueue<Input: Sendable, Output: Sendable, Failure: Error>: Sendable {
  /// Elements that one worker takes together.
  struct Chunk: Sendable {
    /// Its place in the order, from 0.
    let number: Int
    fileprivate(set) var inputs: [Input]
    fileprivate(set) var size: Int
  }

  /// What the consumer gets next.
  enum Step: Sendable {
    /// The results of the next chunk.
    case results([Output])
    /// The end, with the error if the input failed.
    case end(Failure?)
  }

  private let state: Mutex<State>

  /// Makes an empty queue for at most `workerLimit` workers, with room for two chunks per worker.
  ///
  /// - Parameters:
  ///   - chunkLimit: The most that a chunk holds.
  ///   - size: The size of an element, in bytes.
  init(workerLimit: Int, chunkLimit: ChunkLimit, size: @escaping @Sendable (Input) -> Int) {
    state = Mutex(State(workerLimit: workerLimit, chunkLimit: chunkLimit, size: size))
  }

  /// Waits until one more element may be read; returns false if the queue has stopped.
  func waitForRoom() async -> Bool {
    await withCheckedContinuation { continuation in update { $0.reader = continuation } }
  }

  /// Adds an element; returns true if another worker must be started.
  func add(_ input: Input) -> Bool { update { $0.add(input) } }

  /// Records the end of the input, which may be an error.
  func end(with failure: Failure?) { update { $0.end = .end(failure) } }

  /// The next chunk for a worker; nil if the worker must stop.
  func takeChunk() -> Chunk? { update { $0.takeChunk() } }

  /// Stores a chunk's results.
  func give(_ results: [Output], of chunk: Chunk) { update { $0.give(results, of: chunk) } }

  /// Waits for the consumer's next step, and frees the room of the step before.
  func next() async -> Step {
    await withCheckedContinuation { continuation in
      update {
        precondition($0.consumer == nil, "one task at a time asks an iterator")
        $0.consumer = continuation
        $0.useUp()
      }
    }
  }

  /// Stops everything: the reader, the workers and the consumer find nothing more to do.
  func stop() { update { $0.stop() } }

  /// Changes the state, and resumes the tasks that were waiting for the change.
  private func update<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
    let (value, wake) = state.withLock { (change(&$0), $0.wake()) }
    wake.run()
    return value
  }
}

/// The most that one worker takes at a time.
package struct ChunkLimit: Sendable {
  /// The most elements.
  let count: Int
  /// The size, in bytes, after which a chunk takes no more elements.
  let size: Int

  package init(count: Int = SealingBatch.maximumCount, size: Int = .max) {
    self.count = count
    self.size = size
  }
}

extension OrderedQueue {
  fileprivate struct State {
    let workerLimit: Int
    let chunkLimit: ChunkLimit
    let size: @Sendable (Input) -> Int
    var reader: CheckedContinuation<Bool, Never>?
    var consumer: CheckedContinuation<Step, Never>?
    /// How the input ended; nil while it goes on.
    var end: Step?

    private var isStopped = false
    private var workerCount = 0
    /// Chunks that no worker has taken.
    private var waiting: [Chunk] = []
    /// Results that the consumer has not got yet, by their chunk's number.
    private var done: [Int: (results: [Output], load: Load)] = [:]
    /// How many chunks have been started.
    private var chunkCount = 0
    /// How many chunks the consumer has got.
    private var givenCount = 0
    /// The elements that were read and whose results the consumer has not finished with.
    private var load = Load()
    /// The part of `load` whose results the consumer has now.
    private var inUse = Load()

    init(workerLimit: Int, chunkLimit: ChunkLimit, size: @escaping @Sendable (Input) -> Int) {
      self.workerLimit = workerLimit
      self.chunkLimit = chunkLimit
      self.size = size
    }

    mutating func add(_ input: Input) -> Bool {
      guard !isStopped else { return false }
      let size = size(input)
      load.add(Load(count: 1, size: size))
      if let last = waiting.indices.last, waiting[last].inputs.count < chunkLimit.count,
        waiting[last].size < chunkLimit.size
      {
        waiting[last].inputs.append(input)
        waiting[last].size += size
      } else {
        waiting.append(Chunk(number: chunkCount, inputs: [input], size: size))
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

    mutating func give(_ results: [Output], of chunk: Chunk) {
      let load = Load(count: chunk.inputs.count, size: chunk.size)
      if !isStopped { done[chunk.number] = (results, load) }
    }

    mutating func useUp() {
      load.remove(inUse)
      inUse = Load()
    }

    mutating func stop() {
      isStopped = true
      waiting = []
      done = [:]
    }

    mutating func wake() -> Wake {
      var wake = Wake()
      if isStopped || hasRoom { wake.reader = reader.take().map { ($0, !isStopped) } }
      if consumer != nil, let step = step() { wake.consumer = consumer.take().map { ($0, step) } }
      return wake
    }

    private var hasRoom: Bool {
      let chunks = 2 * workerLimit
      return load.count < chunks * chunkLimit.count && load.size / chunks < chunkLimit.size
    }

    /// What the consumer gets now; nil if it must wait.
    private mutating func step() -> Step? {
      if isStopped { return .end(nil) }
      guard let (results, load) = done.removeValue(forKey: givenCount) else {
        return givenCount == chunkCount ? end : nil
      }
      givenCount += 1
      inUse = load
      return .results(results)
    }
  }

  /// A number of elements and their total size.
  private struct Load {
    var count = 0
    var size = 0

    mutating func add(_ other: Load) { (count, size) = (count + other.count, size + other.size) }

    mutating func remove(_ other: Load) { (count, size) = (count - other.count, size - other.size) }
  }

  /// The tasks to resume, with their values.
  fileprivate struct Wake: Sendable {
    var reader: (CheckedContinuation<Bool, Never>, Bool)?
    var consumer: (CheckedContinuation<Step, Never>, Step)?

    func run() {
      if let (reader, isWanted) = reader { reader.resume(returning: isWanted) }
      if let (consumer, step) = consumer { consumer.resume(returning: step) }
    }
  }
}
