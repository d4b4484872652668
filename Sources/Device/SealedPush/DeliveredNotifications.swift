internal import PushCore
public import PushReceiver
public import UserNotifications

extension UNUserNotificationCenter {
  /// Takes from the screen what an opened message replaces or removes.
  ///
  /// An extension that subclasses ``SealedNotificationService`` need not call it. An app calls it for a message that came in a
  /// background push. A message takes the place of another by its identifier; what it replaces is removed only where it was shown
  /// under another one, because the device's keys have changed since.
  public nonisolated(nonsending) func carryOut(_ opened: Opened, for receiver: Receiver) async {
    await carryOut(opened.changes, of: "", for: receiver)
  }

  /// The same for the message that is shown under `identifier`.
  nonisolated(nonsending) func carryOut(
    _ changes: MessageChanges, of identifier: String, for receiver: Receiver
  ) async {
    guard !changes.isEmpty else { return }
    let messages = changes.removes + (changes.replaces.map { [$0] } ?? [])
    removeDeliveredNotifications(
      withIdentifiers: receiver.identifiers(of: messages).filter { $0 != identifier })
    // The system removes them in its own time. It seems to answer in order, and an extension's process may end when it has
    // shown its content.
    await withCheckedContinuation { continuation in
      getDeliveredNotifications { _ in continuation.resume() }
    }
  }
}
