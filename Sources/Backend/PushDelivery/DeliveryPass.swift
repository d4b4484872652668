private import Synchronization

/// The pushes of one call, which are cancelled together: one push, or those of a sequence.
final class DeliveryPass: Sendable {
  private let cancelled = Atomic(false)

  /// Tells the caller that results were given, once for several of them; nil for a caller that learns of each.
  let wake: (@Sendable () -> Void)?

  init(wake: (@Sendable () -> Void)? = nil) { self.wake = wake }

  /// Whether the pushes were cancelled.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Marks the pushes as cancelled.
  ///
  /// The routes that have them must be told too: see ``APNsClient``.
  func cancel() { cancelled.store(true, ordering: .releasing) }
}
