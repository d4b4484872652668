internal import PushReceiver
private import Synchronization
internal import UserNotifications

/// One request on its way to the person, from the moment the system has handed it in.
final class Handover: Sendable {
  private let handler: ContentHandler
  private let push: IncomingPush
  private let delivery = Mutex<Delivery?>(nil)
  private let finished = Mutex<FinishedContent?>(nil)

  /// Takes a request for which there is no receiver yet.
  init(_ push: IncomingPush, to handler: ContentHandler) {
    self.push = push
    self.handler = handler
  }

  /// Whether something was handed over.
  var isOver: Bool { handler.isTaken }

  /// Lets `receiver` open `push` in time, and the service finish what is opened.
  func start(_ push: IncomingPush, with receiver: Receiver, finishedBy service: FinishingService) {
    // Making the receiver may have taken all of the time.
    guard !isOver else { return }
    // Under the lock, so that there is no moment at which the work has begun and cannot be ended.
    delivery.withLock { delivery in
      delivery = receiver.receive(
        push,
        finish: { [self] reception in
          guard let content = await service.finish(reception) else { return }
          finished.withLock { $0 = content }
        },
        handler: { [self] in handOver($0) })
    }
  }

  /// Hands over what there is now; without a receiver that is the placeholder.
  func expire() {
    if let delivery = delivery.withLock({ $0 }) {
      delivery.handOver()
    } else {
      _ = Receiver.locked.receive(push, deadline: .zero) { [self] in handOver($0) }
    }
  }

  private func handOver(_ reception: Reception) {
    handler {
      let content =
        finished.withLock { $0 }?.content ?? UNMutableNotificationContent(reception.content)
      reception.content.leaveFiles(of: content)
      return content
    }
  }
}
