internal import PushCore
public import PushReceiver
public import UserNotifications

extension UNUserNotificationCenter {
  /// Shows what came before the phone was first unlocked, each message in the place of its placeholder.
  ///
  /// Call it when the app is started or opened. A notification's identifier is its message's ID, so the message takes the
  /// placeholder's place, unless the sender chose a collapse ID. A message that was opened before is shown without sound, whatever
  /// the receiver's `DuplicateRule` is: its placeholder may still be there. What never opens has its placeholder already, and is
  /// forgotten. What the messages replace or remove is carried out.
  ///
  /// - Throws: ``ReceiverFileError``, or the system's error, if it does not take a notification: that message is kept.
  public nonisolated(nonsending) func show(_ kept: KeptEnvelopes, with receiver: Receiver) async throws {
    var receiver = receiver
    receiver.duplicates = .quietly
    try await kept.openAll(with: receiver) { reception in
      guard case .opened(let opened) = reception.outcome else { return }
      let identifier = opened.changes.replaces?.text ?? opened.claims.messageID.text
      let content = UNMutableNotificationContent(reception.content)
      try await add(UNNotificationRequest(identifier: identifier, content: content, trigger: nil))
      await carryOut(opened.changes, of: identifier, for: receiver)
    }
  }
}
