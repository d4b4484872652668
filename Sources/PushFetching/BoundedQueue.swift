#if canImport(FoundationNetworking)
  internal import Foundation

  /// A queue that makes whoever adds to it wait while there is much in it.
  ///
  /// FoundationNetworking puts every piece that it reads into its session's queue and reads on, so a body that comes
  /// faster than it is received would be in memory whole. It may not wait in turn for what runs in the queue.
  final class BoundedQueue: OperationQueue, @unchecked Sendable {
    private let places = DispatchSemaphore(value: 16)

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      places.wait()
      super.addOperation { [places] in
        block()
        places.signal()
      }
    }
  }
#endif
