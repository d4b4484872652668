internal import PushReceiver
private import Synchronization
internal import UserNotifications

/// One request on its way to the person, from the moment the system has handed it in.
final class Handover: Sendable {
  private let handler: ContentHandler
  private let push: IncomingPush
  private let delivery = Mutex<Delivery?>(nil)

  /// Takes a request for which there is no receiver yet.
  init(_ push: IncomingPush, to handler: ContentHandler) {
    self.push = push
    self.handler = handler
  }

  /// Whether something was handed over.
  var isOver: Bool { handler.isTaken }

  /// Lets `receiver` open `push` in time.
  func start(_ push: IncomingPush, with receiver: Receiver) {
    // Under the lock, so that there is no moment at which the work has begun and cannot be ended.
    delivery.withLock { $0 = receiver.receive(push) { [handler] in handler($0) } }
  }

  /// Hands over what there is now; without a receiver that is the placeholder.
  func expire() {
    if let delivery = delivery.withLock({ $0 }) {
      delivery.expire()
    } else {
      _ = Receiver.locked.receive(push, deadline: .zero) { [handler] in handler($0) }
    }
  }
}

extension ContentHandler {
  fileprivate func callAsFunction(_ reception: Reception) {
    self { UNMutableNotificationContent(reception.content) }
  }
}
