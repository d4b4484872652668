import PushCore
import PushKeys
import PushReceiver
import PushSealer

/// Where the receiver has its keys and what it has seen.
enum Stores: String {
  /// In memory: nothing but the work.
  case memory
  /// In files, with a log beside them, as in an extension.
  case files
}

/// One backend, and one device with a key of each public-key suite.
struct Parties: Sendable {
  let sealer: Sealer
  let receiver: Receiver
  let recipients: [Recipient]

  /// Makes the keys; `folder` is for those stores that are files.
  init(_ stores: Stores, in folder: String) throws {
    let topic = try Topic("com.example.app")
    let senderKeys = KeySet(generating: .sender, at: .now)
    var editor = KeySetEditor(KeySet(generating: .device, at: .now))
    _ = try editor.add(.p256AESGCM, at: .now)
    let deviceKeys = editor.keySet
    sealer = Sealer(topic: topic, signingKey: try senderKeys.signingKey())
    recipients = try [.x25519ChaChaPoly, .p256AESGCM].map { try deviceKeys.publicKeys.recipient(suite: $0) }
    switch stores {
    case .memory:
      receiver = Receiver(
        topic: topic, keys: deviceKeys, senders: try senderKeys.publicKeys, replay: InMemoryReplayStore())
    case .files:
      let keys = KeyFile(path: "\(folder)/device.jwks")
      try keys.create(deviceKeys)
      var receiver = Receiver(
        topic: topic, keys: keys, senders: try senderKeys.publicKeys,
        replay: FileReplayStore(path: "\(folder)/replay"))
      receiver.observers = [DiagnosticsLog(path: "\(folder)/log")]
      self.receiver = receiver
    }
  }
}
