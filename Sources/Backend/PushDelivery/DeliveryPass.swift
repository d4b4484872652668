private import Synchronization

/// The pushes of one call, which are cancelled together: one push, or those of a sequence.
final class DeliveryPass: Sendable {
  private let cancelled = Atomic(false)

  /// Tells the caller that results were given, once for several of them.
  let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  /// Whether the pushes were cancelled.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Marks the pushes as cancelled.
  ///
  /// The routes that have them must be told too: see ``APNsClient``.
  func cancel() { cancelled.store(true, ordering: .releasing) }
}
