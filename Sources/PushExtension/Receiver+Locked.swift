internal import PushEnvelope
internal import PushKeys
internal import PushReceiver

extension Receiver {
  /// A receiver that opens nothing, for want of another: its keys cannot be read.
  ///
  /// An envelope degrades to `key-locked`, so that it is kept for the app, and nobody enrols anew because of it.
  static let locked: Receiver = {
    guard let topic = try? Topic("locked") else { preconditionFailure("the topic is well-formed") }
    return Receiver(topic: topic, keys: UnreadableKeys(), senders: UnreadableKeys())
  }()
}

private struct UnreadableKeys: DeviceKeyStore, SenderKeyStore {
  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? { throw .locked }

  func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey? { throw .locked }
}
