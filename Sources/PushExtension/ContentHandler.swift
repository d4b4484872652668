private import Synchronization
internal import UserNotifications

/// The system's handler, called once, by whoever comes first.
final class ContentHandler: Sendable {
  /// The handler's way between threads.
  ///
  /// Apple does not declare it Sendable, and documents that it is called when the work is done, which is on another
  /// thread. What makes that safe here: nobody but the one that takes it out of the lock ever calls it, so no two
  /// threads run it, and everything before is seen by that thread.
  private struct Call: @unchecked Sendable {
    let run: (UNNotificationContent) -> Void
  }

  private let call: Mutex<Call?>

  init(_ handler: @escaping (UNNotificationContent) -> Void) { call = Mutex(Call(run: handler)) }

  /// Whether it was called.
  var isTaken: Bool { call.withLock { $0 == nil } }

  /// Calls it with a new content that `content` makes, if it was not called before.
  func callAsFunction(_ content: () -> UNNotificationContent) {
    let call = call.withLock { call in
      defer { call = nil }
      return call
    }
    call?.run(content())
  }
}
