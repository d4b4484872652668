import Foundation
import Locks
import UserNotifications

/// An extension that does what a test says.
final class TestExtension: UNNotificationServiceExtension {
  private let work: (TestExtension, UNNotificationContent) -> Void
  private(set) var identifier = ""
  private(set) var trigger: UNNotificationTrigger?
  private(set) var handler: ((UNNotificationContent) -> Void)?
  var onExpiry: () -> Void = {}

  init(_ work: @escaping (TestExtension, UNNotificationContent) -> Void) { self.work = work }

  override func didReceive(
    _ request: UNNotificationRequest,
    withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
  ) {
    identifier = request.identifier
    trigger = request.trigger
    handler = contentHandler
    work(self, request.content)
  }

  override func serviceExtensionTimeWillExpire() { onExpiry() }

  /// Runs `body` on another thread, to its end.
  func onAnotherThread(_ body: @escaping () -> Void) {
    let body = Unchecked(value: body)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body.value()
      done.signal()
    }
    done.wait()
  }
}

/// Extensions that a test keeps.
final class Kept: Sendable {
  private let services = Mutex<[Unchecked<TestExtension>]>([])

  var all: [TestExtension] { services.withLock { $0 }.map(\.value) }

  func keep(_ service: TestExtension) {
    let service = Unchecked(value: service)
    services.withLock { $0.append(service) }
  }
}

/// Something that a test uses on one thread at a time.
struct Unchecked<Value>: @unchecked Sendable {
  let value: Value
}
