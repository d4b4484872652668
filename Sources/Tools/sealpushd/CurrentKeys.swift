internal import PushCore
internal import PushKeys
private import Synchronization

/// The sender's keys as a worker has read them last.
final class CurrentKeys: Sendable {
  private let keys: Mutex<KeySet>

  init(_ keys: KeySet) { self.keys = Mutex(keys) }

  /// Takes the keys after a rotation.
  func replace(with new: KeySet) { keys.withLock { $0 = new } }

  /// Why nothing can be signed now; nil if it can.
  var lack: String? {
    keys.withLock { (try? $0.signingKey(at: .now)) == nil } ? "none of the sender's keys signs now" : nil
  }
}
