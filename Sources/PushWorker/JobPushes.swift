internal import PushDelivery
internal import PushEnvelope
internal import PushKeys
internal import PushStore

/// A sealed push with the job and the device that it is for.
struct JobPush: Deliverable {
  let addressedPush: AddressedPush
  let claim: Claim
  /// The device's identity.
  let device: Thumbprint
}

/// The pushes of a worker, batch after batch, until there is none.
struct JobPushes: AsyncSequence, Sendable {
  typealias Element = JobPush
  typealias Failure = StoreError
  typealias Batch = @Sendable () async throws(StoreError) -> [JobPush]?

  private let next: Batch

  init(_ next: @escaping Batch) { self.next = next }

  func makeAsyncIterator() -> Iterator { Iterator(next: next) }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let next: Batch
    private var batch: ArraySlice<JobPush> = []

    fileprivate init(next: @escaping Batch) { self.next = next }

    mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws(StoreError)
      -> JobPush?
    {
      while batch.isEmpty {
        guard let batch = try await next() else { return nil }
        self.batch = batch[...]
      }
      return batch.popFirst()
    }
  }
}
