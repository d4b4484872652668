private import Synchronization
internal import UserNotifications

/// An extension's object.
///
/// iOS calls it on threads of its choice, and so does the host; Apple's class is bound to no actor.
final class ExtensionInstance: @unchecked Sendable {
  let service: UNNotificationServiceExtension

  init(_ service: UNNotificationServiceExtension) { self.service = service }
}

/// The process that serves an extension's pushes.
final class ExtensionProcess: Sendable {
  private let reusesInstance: Bool
  private let makeExtension: @Sendable () -> UNNotificationServiceExtension
  private let instance = Mutex<ExtensionInstance?>(nil)

  init(reusesInstance: Bool, _ makeExtension: @escaping @Sendable () -> UNNotificationServiceExtension) {
    self.reusesInstance = reusesInstance
    self.makeExtension = makeExtension
  }

  /// Hands a push to an instance.
  func run(_ push: HostedPush) {
    let instance = instance.withLock { shared in
      if reusesInstance, let shared { return shared }
      let instance = ExtensionInstance(makeExtension())
      shared = instance
      return instance
    }
    push.begin(in: instance)
    instance.service.didReceive(push.request) { push.handOver($0) }
  }
}
