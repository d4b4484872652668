public import PushEnvelope

/// The keys of an app on one device: those that open, and the identity that vouches for them.
public struct DeviceKeys: Sendable {
  /// The keys that open.
  public private(set) var device: KeySet

  /// The identity.
  public private(set) var identity: KeySet

  /// Makes both, for the first launch.
  public init(generating suite: Suite = .x25519ChaChaPoly, at now: UnixTime) {
    device = KeySet(generating: .device, suite: suite, at: now)
    identity = KeySet(generating: .identity, at: now)
  }

  /// Takes both.
  ///
  /// - Throws: ``KeySetError/wrongRole``.
  public init(device: KeySet, identity: KeySet) throws(KeySetError) {
    guard device.role == .device, identity.role == .identity else { throw .wrongRole }
    self.device = device
    self.identity = identity
  }

  /// Signs the public keys, and what the backend asked, if it did, and gives what to send to it.
  ///
  /// - Throws: ``KeySetError/serialNotGreater`` after 2^53 - 1 times.
  public mutating func enrol(
    at address: DeviceAddress, challenge: Challenge? = nil, now: UnixTime = .now
  ) throws(KeySetError) -> Enrolment {
    var editor = KeySetEditor(identity)
    let enrolment = try editor.enrol(try device.publicKeys, at: address, challenge: challenge, now: now)
    identity = editor.keySet
    return enrolment
  }

  /// What a store has, with what is missing made, if a suite is given; null if something is missing, and none is.
  ///
  /// - Throws: ``KeySetError/wrongRole``, also for a suite that no device's key has.
  package init?(
    device: KeySet?, identity: KeySet?, orMake suite: Suite?, at now: UnixTime
  ) throws(KeySetError) {
    if let suite, KeyAlgorithm(suite: suite).role != .device { throw .wrongRole }
    let device = device ?? suite.map { KeySet(generating: .device, suite: $0, at: now) }
    let identity = identity ?? suite.map { _ in KeySet(generating: .identity, at: now) }
    guard let device, let identity else { return nil }
    try self.init(device: device, identity: identity)
  }

  /// Changes the keys that open.
  public mutating func edit<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(KeySetError) -> Result {
    var editor = KeySetEditor(device)
    let result = try change(&editor)
    device = editor.keySet
    return result
  }
}
