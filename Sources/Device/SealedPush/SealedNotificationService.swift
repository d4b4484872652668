private import Locks
public import PushReceiver
public import UserNotifications

/// A notification service extension that opens sealed notifications.
///
/// An app's extension subclasses it and overrides ``makeReceiver()``. For each request, the system's handler is called
/// exactly once, on any thread: with the opened message, or with the placeholder if the message does not open, the
/// receiver's deadline of 25 seconds passes, or the system says that time is up. The handler always gets a new content,
/// which contains nothing of the visible one except what `BestAttempt` keeps.
///
/// One instance may serve several requests at once, and a process may have several instances. Requests share nothing.
open class SealedNotificationService: UNNotificationServiceExtension {
  private let receptions = Mutex<[PendingReception]>([])

  /// The notification center of the phone in a test's host, which has several in one process.
  package var hostedCenter: UNUserNotificationCenter?

  /// The phone's notification center.
  var notificationCenter: UNUserNotificationCenter { hostedCenter ?? .current() }

  /// Makes the receiver for one request.
  ///
  /// It is called for each request, on the thread on which the system delivers the request, before the deadline starts.
  /// Slow work belongs in the key stores, which run on their own thread and within the deadline. All requests should
  /// share one replay store, such as a static property of the subclass.
  ///
  /// If it throws, no message is lost and no original is shown. The placeholder appears below the visible title, and an
  /// envelope under the default key stays in `userInfo` for the app, as it does when the keys cannot be read before the
  /// phone is first unlocked (`key-locked`). An app with its own envelope key or placeholder should instead return a
  /// receiver whose key stores throw: then both are used. This implementation throws an error that says so.
  open func makeReceiver() throws -> Receiver { throw ServiceError.noReceiver }

  /// Reports why ``makeReceiver()`` threw, such as a missing App Group, so that the app can log it.
  ///
  /// It is called once for each such request, before the placeholder is shown. This implementation does nothing.
  open func didFailToMakeReceiver(_ error: any Error) {}

  /// Says who writes an opened message, so that the system shows a communication notification, with the sender's avatar.
  ///
  /// It runs after the receiver's steps and before ``finish(_:opened:)``, which gets the result, for messages of a trusted sender
  /// alone. The entitlement is ``Conversation``'s. This implementation returns nil: an ordinary notification.
  open func conversation(of content: UNNotificationContent, opened: Opened) async -> Conversation? { nil }

  /// Has the last word on an opened notification, after the receiver's steps.
  ///
  /// It also runs on a duplicate that is shown again, on which no step runs but `reading` and `rules`.
  ///
  /// The returned content is shown. It may be `content`, changed or not, or a new one, such as the one that
  /// `updating(from:)` makes for a communication notification. This method has the time that is left of the receiver's
  /// deadline. If it has not returned by then, the opened text is shown unchanged, and its task is cancelled. It may run
  /// on any thread, and for several requests at the same time. A content without title and body asks the system to show
  /// nothing, which needs Apple's filtering entitlement. This implementation returns `content`.
  open func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    content
  }

  /// Has the last word on a notification that was opened from another system's envelope.
  ///
  /// Nobody has signed such a notification. Otherwise this works like ``finish(_:opened:)``. This implementation returns
  /// `content`.
  open func finish(
    _ content: UNMutableNotificationContent, openedFrom format: String
  ) async -> UNNotificationContent {
    content
  }

  /// Has the last word on a notification that did not open.
  ///
  /// `content` is the placeholder. It has nothing of the visible notification but what the receiver's `BestAttempt` keeps, so
  /// nothing that a relay has written can be shown beyond that. The returned content is shown: `content` with a badge or a
  /// text in the person's language, or a new one. A content without title and body asks the system to show nothing, which
  /// needs Apple's filtering entitlement.
  ///
  /// This method has the time that is left of the receiver's deadline. After the deadline itself (`deadline`) it has half
  /// a second, and two seconds if ``makeReceiver()`` threw (`key-locked`). If it has not returned by then, or if the system
  /// says that time is up, the placeholder is shown unchanged, and its task is cancelled. It may run on any thread, and
  /// for several requests at the same time. This implementation returns `content`.
  open func finish(
    _ content: UNMutableNotificationContent, degraded reason: DegradeReason
  ) async -> UNNotificationContent {
    content
  }

  /// Opens the notification, and calls the handler once and in time, with the best result so far.
  public final override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let handover = Handover(of: request.identifier, to: contentHandler, finishedBy: self)
    let push = IncomingPush(content: request.content)
    let reception = PendingReception(placeholder: Reception(degrading: push, because: .deadline)) {
      handover.show($0)
    }
    receptions.withLock { receptions in
      receptions.removeAll(where: \.isHandedOver)
      receptions.append(reception)
    }
    do {
      let receiver = try makeReceiver()
      receiver.receive(IncomingPush(content: request.content, for: receiver), through: reception) {
        await handover.finish($0, by: receiver)
      }
    } catch {
      handover.fail(with: error)
      didFailToMakeReceiver(error)
      let placeholder = Reception(degrading: push, because: .keyLocked)
      reception.handOver(placeholder, finishedBy: { await handover.finish($0, by: nil) }, within: .seconds(2))
    }
  }

  /// Calls the handler of every request that is still open, with the best result so far.
  public final override func serviceExtensionTimeWillExpire() {
    for reception in receptions.withLock({ $0 }) { reception.handOver() }
  }
}

/// Why a service has no receiver.
package enum ServiceError: Error, Equatable, Sendable {
  /// The subclass does not override ``SealedNotificationService/makeReceiver()``.
  case noReceiver
}

extension ServiceError: CustomStringConvertible {
  /// What is missing.
  package var description: String {
    switch self {
    case .noReceiver: "the service has no receiver: override makeReceiver()"
    }
  }
}
