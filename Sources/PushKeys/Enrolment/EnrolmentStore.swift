public import PushEnvelope

/// Where an app keeps the keys of its device, and its extension finds those that open.
public protocol EnrolmentStore: DeviceKeyStore {
  /// Why the store cannot be read or written.
  associatedtype Failure: Error

  /// Changes the keys; those that are missing are made first, of `suite` and at `now`.
  ///
  /// If `change` throws, nothing is changed. Two changes at once both take effect, one after the other.
  func update<Result>(
    orMake suite: Suite, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(Failure) -> Result
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
    try update(orMake: suite, at: now) { (keys) throws(KeySetError) in
      try keys.enrol(at: address, challenge: challenge, now: now)
    }
  }

  /// Replaces the keys that were made `age` ago or earlier, and destroys those whose end has come: whether to enrol
  /// anew.
  ///
  /// The old keys open, without an end, until ``confirm(_:suite:now:)``.
  public func rotate(
    ifOlderThan age: Duration, suite: Suite = .x25519ChaChaPoly, now: UnixTime = .now
  ) throws(Failure) -> Bool {
    try update(orMake: suite, at: now) { (keys) throws(KeySetError) in
      try keys.edit { (editor) throws(KeySetError) in
        editor.prune(at: now)
        return try !editor.rotate(ifOlderThan: age, grace: nil, at: now).isEmpty
      }
    }
  }

  /// Says that the backend has taken an enrolment: whether it has all active keys by that.
  ///
  /// If so, the replaced keys end 31 days from `now`: 30 for APNs, and one for jobs that have an old key in hand. If
  /// not, because the keys were replaced since, nothing is changed. Call it after each answer of the backend.
  @discardableResult
  public func confirm(
    _ enrolment: Enrolment, suite: Suite = .x25519ChaChaPoly, now: UnixTime = .now
  ) throws(Failure) -> Bool {
    try update(orMake: suite, at: now) { (keys) throws(KeySetError) in
      guard try keys.device.publicKeys.records.allSatisfy(enrolment.keys.records.contains) else {
        return false
      }
      try keys.edit { (editor) throws(KeySetError) in
        _ = try editor.confirm(grace: .seconds(31 * 86_400), at: now)
      }
      return true
    }
  }
}
