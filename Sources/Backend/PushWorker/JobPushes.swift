internal import PushDelivery
internal import PushCore
internal import PushKeys
internal import PushStore

/// A sealed push with the job and the device that it is for.
struct JobPush: Deliverable {
  let addressedPush: AddressedPush
  let claim: Lease
  /// The device's identity.
  let device: Thumbprint
  /// The uptime from which it is no longer sent.
  let end: Duration
}

/// The pushes of a worker, batch after batch, until there is none, without those that are not wanted any more.
struct JobPushes: AsyncSequence, Sendable {
  typealias Element = JobPush
  typealias Failure = StoreError
  typealias Batch = @Sendable () async throws(StoreError) -> [JobPush]?

  private let next: Batch
  private let isWanted: @Sendable (JobPush) -> Bool

  init(next: @escaping Batch, where isWanted: @escaping @Sendable (JobPush) -> Bool) {
    (self.next, self.isWanted) = (next, isWanted)
  }

  func makeAsyncIterator() -> Iterator { Iterator(next: next, isWanted: isWanted) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let next: Batch
    fileprivate let isWanted: @Sendable (JobPush) -> Bool
    private var batch: ArraySlice<JobPush> = []

    fileprivate init(next: @escaping Batch, isWanted: @escaping @Sendable (JobPush) -> Bool) {
      (self.next, self.isWanted) = (next, isWanted)
    }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(StoreError)
      -> JobPush?
    {
      while true {
        while let push = batch.popFirst() {
          if isWanted(push) { return push }
        }
        guard let batch = try await next() else { return nil }
        self.batch = batch[...]
      }
    }
  }
}
