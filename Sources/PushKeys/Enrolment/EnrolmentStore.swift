public import PushEnvelope
private import Synchronization

/// Where an app keeps the keys of its device, and its extension finds those that open.
public protocol EnrolmentStore: DeviceKeyStore {
  /// Why the store cannot be read or written.
  associatedtype Failure: Error

  /// Changes the keys; those that are missing are made first, of `suite` and at `now`. Without a suite nothing is made,
  /// and if something is missing, the result is null.
  ///
  /// If `change` throws, nothing is changed. Two changes at once both take effect, one after the other; a change within
  /// a change waits for itself, and fails.
  func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(Failure) -> Result?

  /// Removes the keys, if they are there, as when the person signs out: the app is a new registration after that.
  func remove() throws(Failure)
}

extension EnrolmentStore {
  /// Gives what an app sends to its backend, signed; at the first launch it makes the keys.
  ///
  /// Call it at each launch, with the token that APNs gives then: the backend takes it for what it is, new or known.
  /// A backend that gave a challenge at the login wants that signed.
  public func enrol(
    at address: DeviceAddress, challenge: Challenge? = nil, suite: Suite = .x25519ChaChaPoly,
    now: UnixTime = .now
  ) throws(Failure) -> Enrolment {
    let enrolment = try update(orMake: suite, at: now) { (keys) throws(KeySetError) in
      try keys.enrol(at: address, challenge: challenge, now: now)
    }
    guard let enrolment else { preconditionFailure("what is missing is made") }
    return enrolment
  }

  /// Replaces the keys that were made `age` ago or earlier, and destroys those whose end has come: whether there are new
  /// ones, to be enrolled.
  ///
  /// The old keys open, without an end, until ``confirm(_:now:)``. Where there are no keys, nothing is done.
  public func rotate(ifOlderThan age: Duration, now: UnixTime = .now) throws(Failure) -> Bool {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.edit { (editor) throws(KeySetError) in
        editor.prune(at: now)
        return try !editor.rotate(ifOlderThan: age, grace: nil, at: now).isEmpty
      }
    } ?? false
  }

  /// Says that the backend has taken an enrolment: whether it has all active keys by that.
  ///
  /// If so, the replaced keys end ``KeySetEditor/confirmedGrace`` from `now`. If not, because the keys were replaced since
  /// or are gone, nothing is changed. Call it when the backend has answered that it took the enrolment, and only then;
  /// where several backends have the keys, when the last one has.
  @discardableResult
  public func confirm(_ enrolment: Enrolment, now: UnixTime = .now) throws(Failure) -> Bool {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.edit { (editor) throws(KeySetError) in try editor.confirm(enrolment, at: now) != nil }
    } ?? false
  }
}

/// An app's keys in memory, for tests.
public final class InMemoryKeyStore: EnrolmentStore {
  /// Only a change can fail.
  public typealias Failure = KeySetError

  private let keys: Mutex<DeviceKeys?>

  /// Starts with keys, or without any.
  public init(_ keys: DeviceKeys? = nil) { self.keys = Mutex(keys) }

  /// The device's key of that name.
  public func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    keys.withLock { $0 }?.device.deviceKey(for: id, at: now)
  }

  /// Changes the keys.
  ///
  /// - Throws: ``KeySetError``.
  public func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeySetError) -> Result? {
    try keys.withLock { (keys) throws(KeySetError) in
      guard
        var changed = try DeviceKeys(
          device: keys?.device, identity: keys?.identity, orMake: suite, at: now)
      else { return nil }
      let result = try change(&changed)
      keys = changed
      return result
    }
  }

  /// Removes the keys.
  public func remove() { keys.withLock { $0 = nil } }
}
