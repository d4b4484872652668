private import Synchronization

/// The pushes whose results one caller wants, and that end when the caller no longer wants them: one push, or those of
/// a sequence.
final class DeliveryPass: Sendable {
  private let cancelled = Atomic(false)

  /// Is called after results were given, once for several of them.
  let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void = {}) { self.wake = wake }

  /// Whether nobody wants the results any more.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Says that nobody wants the results any more; each route with pushes of the pass must then be told to look.
  func cancel() { cancelled.store(true, ordering: .releasing) }
}
