internal import PushReceiver
private import Synchronization
internal import UserNotifications

/// The last step of one request: gives the system's handler the app's content, or else the receiver's.
///
/// A ``Delivery`` calls ``show(_:)`` exactly once, in time.
final class Handover: Sendable {
  /// The handler and the app's content, on their way between threads.
  ///
  /// Apple declares neither `Sendable`, but documents that the handler is called when the work is done, which is on
  /// another thread. That is safe here: only ``Handover/show(_:)`` uses them, once, and nobody changes a finished
  /// content.
  private struct State: @unchecked Sendable {
    let handler: (UNNotificationContent) -> Void
    var finished: UNNotificationContent?
  }

  /// The service, if it still exists.
  ///
  /// Apple's class is not `Sendable`, but the system itself calls it on several threads, and `finish` is documented to
  /// run on any thread.
  private struct Service: @unchecked Sendable {
    weak var object: SealedNotificationService?
  }

  private let state: Mutex<State>
  private let service: Service

  /// Takes the system's handler, and the service whose `finish` has the last word, as long as it exists.
  init(to handler: @escaping (UNNotificationContent) -> Void, finishedBy service: SealedNotificationService) {
    state = Mutex(State(handler: handler))
    self.service = Service(object: service)
  }

  /// Lets the app finish an opened notification.
  func finish(_ reception: Reception) async {
    guard let service = service.object else { return }
    let content = UNMutableNotificationContent(reception.content)
    let finished: UNNotificationContent
    switch reception.outcome {
    case .opened(let opened): finished = await service.finish(content, opened)
    case .openedOther(let format): finished = await service.finish(content, openedFrom: format)
    case .degraded: return
    }
    state.withLock { $0.finished = finished }
  }

  /// Calls the handler with the app's content, or else with a new one of what the receiver shows.
  func show(_ reception: Reception) {
    let state = state.withLock { $0 }
    let content = state.finished ?? UNMutableNotificationContent(reception.content)
    reception.content.leaveFiles(of: content)
    state.handler(content)
  }
}
