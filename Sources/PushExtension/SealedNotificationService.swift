public import PushReceiver
private import Synchronization
public import UserNotifications

/// A notification service extension that opens sealed notifications.
///
/// An app's extension subclasses it and overrides ``makeReceiver()``. The system's handler is then called exactly once
/// for each request, on whatever thread is done first: with the opened message, or with the placeholder when it cannot
/// be opened, when the receiver's deadline of 25 seconds is over, or when the system says that time is up. What is
/// handed over is always a new content, to which nothing of the visible one comes but what `BestAttempt`
/// keeps.
///
/// One instance may serve several requests at once, and a process several instances: they share nothing.
open class SealedNotificationService: UNNotificationServiceExtension {
  private let handovers = Mutex<[Handover]>([])

  /// Makes the receiver for one request.
  ///
  /// It is called for each request, on the thread on which the system hands it in, before the deadline begins: what
  /// takes long belongs in the key stores, which are asked on a thread of their own and within the deadline. A replay
  /// store of the app's own is to be one for all requests, for instance a static property of the subclass.
  ///
  /// If it throws, whatever the error, no receiver can be had, and no message is lost by that and no original shown:
  /// the placeholder appears below the visible title, and an envelope under the default key stays in `userInfo` for
  /// the app, as if the keys could not be read before the phone is first unlocked (`key-locked`), which is the usual
  /// cause. An app with its own envelope key or its own placeholder should rather return a receiver whose key stores
  /// throw: then both are used. This implementation throws ``ServiceError/noReceiver``.
  open func makeReceiver() throws -> Receiver { throw ServiceError.noReceiver }

  /// Hears that ``makeReceiver()`` threw, for the app to leave a trace of it: a missing app group, for instance.
  ///
  /// It is called for each such request, before the placeholder is handed over. This implementation does nothing.
  open func didFailToMakeReceiver(_ error: any Error) {}

  /// Has the last word on an opened notification, after the receiver's steps.
  ///
  /// What it returns is shown: `content` itself, changed or not, or a new one, such as `updating(from:)` makes for a
  /// communication notification. It is given what is left of the receiver's deadline; if it has not returned by then,
  /// the opened text is shown without it, and its task is cancelled. It runs on any thread, several times at once for
  /// several requests. A content without title and body asks the system to show nothing, which works only with Apple's
  /// filtering entitlement. This implementation returns `content`.
  open func finish(
    _ content: UNMutableNotificationContent, _ opened: Opened
  ) async -> UNNotificationContent {
    content
  }

  /// Has the last word on a notification that came in another system's envelope, which the receiver accepts.
  ///
  /// Nobody has signed it. What is said of ``finish(_:_:)`` holds here too. This implementation returns `content`.
  open func finish(
    _ content: UNMutableNotificationContent, openedFrom format: String
  ) async -> UNNotificationContent {
    content
  }

  /// Opens the notification and hands over what to show, once, in time.
  public final override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let content = request.content
    let handover = Handover(IncomingPush(content, for: .locked), to: ContentHandler(contentHandler))
    handovers.withLock { handovers in
      handovers.removeAll(where: \.isOver)
      handovers.append(handover)
    }
    let receiver = makeReceiverOrNone() ?? .locked
    handover.start(
      IncomingPush(content, for: receiver), with: receiver, finishedBy: FinishingService(self))
  }

  private func makeReceiverOrNone() -> Receiver? {
    do {
      return try makeReceiver()
    } catch {
      didFailToMakeReceiver(error)
      return nil
    }
  }

  /// Hands over at once what there is of every request that is still open.
  public final override func serviceExtensionTimeWillExpire() {
    for handover in handovers.withLock({ $0 }) { handover.expire() }
  }
}
