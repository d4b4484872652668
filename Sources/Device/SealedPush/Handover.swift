private import Locks
package import PushReceiver
internal import UserNotifications

/// The last step of one request: calls the system's handler with the app's content if there is one, otherwise with the
/// receiver's.
///
/// A `PendingReception` calls ``show(_:)`` exactly once and in time.
final class Handover: Sendable {
  /// The handler and the app's content, which are passed between threads.
  ///
  /// Apple declares neither as `Sendable`, but documents that an extension calls the handler when its work is done, and
  /// that may be on another thread. It is safe here: only ``Handover/show(_:)`` uses them, once, and nobody changes a
  /// finished content.
  private struct State: @unchecked Sendable {
    let handler: (UNNotificationContent) -> Void
    var finished: UNNotificationContent?
    var conversation: Conversation?
    /// Why there is no receiver.
    var failure: (any Error)?
  }

  /// The service, if it still exists.
  ///
  /// Apple's class is not `Sendable`, but the system itself calls it on several threads, and the documentation of
  /// `finish` says that it may run on any thread.
  private struct Service: @unchecked Sendable {
    weak var object: SealedNotificationService?
  }

  private let state: Mutex<State>
  private let service: Service
  private let identifier: String

  /// Prepares the end of a request with the system's handler and the service, whose `finish` runs if it still exists.
  init(
    of identifier: String, to handler: @escaping (UNNotificationContent) -> Void,
    finishedBy service: SealedNotificationService
  ) {
    self.identifier = identifier
    state = Mutex(State(handler: handler))
    self.service = Service(object: service)
  }

  /// Takes from the screen what an opened message replaces or removes, and lets the app finish it, or a placeholder.
  func finish(_ reception: Reception, by receiver: Receiver?) async {
    guard let service = service.object else { return }
    if case .opened(let opened) = reception.outcome, let receiver {
      await service.notificationCenter.carryOut(opened.changes, of: identifier, for: receiver)
    }
    var content = UNMutableNotificationContent(reception.content)
    let finished: UNNotificationContent
    switch reception.outcome {
    case .opened(let opened):
      // Only a known sender may break through a Focus.
      if opened.sender != nil, let conversation = await service.conversation(of: content, opened: opened) {
        content = await content.communication(in: conversation)
        state.withLock { $0.conversation = conversation }
      }
      finished = await service.finish(content, opened: opened)
    case .openedOther(let format): finished = await service.finish(content, openedFrom: format)
    case .degraded(let reason): finished = await service.finish(content, degraded: reason)
    }
    // What ends after its time, because it is told to, comes too late: it may be half done.
    guard !Task.isCancelled else { return }
    state.withLock { $0.finished = finished }
  }

  /// Notes why there is no receiver, so that a test can report it.
  func fail(with error: any Error) { state.withLock { $0.failure = error } }

  /// Calls the handler with the app's content if there is one, otherwise with new content that has the receiver's
  /// values.
  func show(_ reception: Reception) {
    let state = state.withLock { $0 }
    let content = state.finished ?? UNMutableNotificationContent(reception.content)
    reception.content.leaveFiles(of: content)
    let result = HandedOver(
      outcome: reception.outcome, failure: state.failure, conversation: state.conversation)
    HandedOver.$current.withValue(result) { state.handler(content) }
  }
}

/// The result behind a content, for a test's host to read while its handler is called.
package struct HandedOver: Sendable {
  /// The result on this thread, during a call of the handler.
  @TaskLocal package static var current: HandedOver?

  /// Whether the push was opened.
  package let outcome: Outcome

  /// Why there was no receiver; nil if there was one.
  package let failure: (any Error)?

  /// Who writes in which conversation, if the app has said so.
  package let conversation: Conversation?
}
