internal import PushCore
internal import PushKeys
internal import PushWorker
private import Synchronization

/// The senders' keys as a worker has read them last.
final class CurrentKeys: Sendable {
  private let senders: Mutex<Senders>

  init(_ senders: Senders) { self.senders = Mutex(senders) }

  /// Takes the keys after a rotation.
  func replace(with new: Senders) { senders.withLock { $0 = new } }

  /// Why nothing can be signed now; nil if it can.
  var lack: String? {
    senders.withLock { $0.canSign(at: .now) ? nil : "none of the sender's keys signs now" }
  }
}
