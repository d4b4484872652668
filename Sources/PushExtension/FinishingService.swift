internal import PushReceiver
internal import UserNotifications

/// The service whose hook has the last word, if it is still there.
///
/// Apple's class is bound to no actor and not Sendable, and the system itself calls it on several threads; its
/// subclasses are told that the hook runs on any thread.
struct FinishingService: @unchecked Sendable {
  private weak var service: SealedNotificationService?

  init(_ service: SealedNotificationService) { self.service = service }

  /// What the app makes of an opened notification; null if there is no app to ask, or nothing was opened.
  func finish(_ reception: Reception) async -> FinishedContent? {
    guard let service else { return nil }
    switch reception.outcome {
    case .opened(let opened):
      let content = UNMutableNotificationContent(reception.content)
      return FinishedContent(content: await service.finish(content, opened))
    case .openedOther(let format):
      let content = UNMutableNotificationContent(reception.content)
      return FinishedContent(content: await service.finish(content, openedFrom: format))
    case .degraded: return nil
    }
  }
}

/// A content that the app has finished, and that nobody changes any more.
struct FinishedContent: @unchecked Sendable {
  let content: UNNotificationContent
}
