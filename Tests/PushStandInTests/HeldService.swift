import Synchronization
import UserNotifications

/// An extension that answers when a test lets it, with the original.
final class HeldService: UNNotificationServiceExtension {
  /// The answers that wait, which one thread calls after the extension has given them away.
  final class Answers: @unchecked Sendable {
    private let lock = Mutex(())
    private var waiting: [() -> Void] = []

    fileprivate func add(_ answer: @escaping () -> Void) { lock.withLock { _ in waiting.append(answer) } }

    /// Gives all answers that wait.
    func giveAll() {
      let all = lock.withLock { _ in
        defer { waiting = [] }
        return waiting
      }
      for answer in all { answer() }
    }
  }

  private let answers: Answers

  init(_ answers: Answers) { self.answers = answers }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    let content = request.content
    answers.add { contentHandler(content) }
  }
}
