public import PushEnvelope

/// Where a receiver finds its device's private keys, and shared ones, which it only ever reads.
public protocol DeviceKeyStore: Sendable {
  /// The key that an envelope names, if the device still has it at `now`.
  ///
  /// - Throws: ``KeyStoreError``.
  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey?
}

/// Where a receiver finds the public keys of the senders that it trusts.
public protocol SenderKeyStore: Sendable {
  /// The key that a signature names, if it is trusted at `now`.
  ///
  /// - Throws: ``KeyStoreError``.
  func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey?
}

/// Why a key store gives no answer.
public enum KeyStoreError: Error, Equatable, Sendable {
  /// It cannot be read before the phone is first unlocked. The key may well be there.
  case locked

  /// It cannot be read for another reason, which waiting does not mend. The key may well be there.
  ///
  /// It is told from ``locked`` for whoever looks for the fault, a missing entitlement for instance; a receiver
  /// treats both alike, because in neither case is the key known to be gone.
  case unavailable
}
