private import Locks
public import PushCore
public import PushKeys

/// Storage for an app's keys.
///
/// The app changes the keys, and its extension looks up the device keys.
public protocol EnrolmentStore: DeviceKeyStore {
  /// Why the store cannot be read or written.
  associatedtype Failure: Error

  /// The suite of the key that is made first, unless the app asks for another.
  var suite: Suite { get }

  /// Changes the keys.
  ///
  /// Missing keys are generated first, for `suite` and at `now`. If `suite` is nil and keys are missing, nothing is
  /// changed, and the result is `nil`. If `change` throws, nothing is changed. Concurrent changes take effect one after
  /// the other. Do not nest changes: the inner one would wait for the outer one until it fails.
  func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(Failure) -> Result?

  /// Removes the keys, if there are any, for example on logout. After that, the app enrols as a new registration.
  func remove() throws(Failure)
}

extension EnrolmentStore {
  /// `x25519-chachapoly`, which every system has.
  public var suite: Suite { .x25519ChaChaPoly }

  /// Returns a signed enrolment to send to the backend named `audience`.
  ///
  /// At the first launch, it generates the keys: one for `suite`, nil for the store's own, and, unless they are in hardware, one for `xwing-aesgcm` if this system's libraries
  /// have that suite. Version 0.1.0 refuses an enrolment with such a key: upgrade backends before apps.
  ///
  /// Call it at each launch, with the current device token: the backend recognizes a known device. If the backend
  /// gave a challenge at login, pass it. With a `report`, the operator sees which phones are ready for a rotation of the
  /// sender's key: pass the version of the ``SenderKeyFile``.
  public func enrol(
    address: some PushDestination, for audience: Audience, challenge: Challenge? = nil,
    report: DeviceReport? = nil,
    suite: Suite? = nil, at now: UnixTime = .now
  ) throws(Failure) -> Enrolment {
    let enrolment = try update(orMake: suite ?? self.suite, at: now) { (keys) throws(KeySetError) in
      try keys.addQuantumResistant(at: now)
      return try keys.enrol(address: address, for: audience, challenge: challenge, report: report, at: now)
    }
    guard let enrolment else { preconditionFailure("missing keys are generated") }
    return enrolment
  }

  /// Returns the signed enrolment that answers a proof request, or why the device does not answer; nil without keys.
  ///
  /// Call it when a background push brings a request: `Receiver.openProofRequest(_:)` opens the request, and returns
  /// the key that opened it, to be passed as `key`. Answer every request that is not a duplicate, even if its proof was
  /// sent before: the backend asks again if another enrolment overtook the answer. Send the answer to the address that
  /// the app has for `audience`.
  public func answer(
    _ request: ProofRequest, openedBy key: Thumbprint, address: some PushDestination, for audience: Audience,
    challenge: Challenge? = nil, report: DeviceReport? = nil, at now: UnixTime = .now
  ) throws(Failure) -> Result<Enrolment, ProofRefusal>? {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.answer(
        request, openedBy: key, address: address, for: audience, challenge: challenge,
        report: report, at: now)
    }
  }

  /// Replaces keys that are at least `age` old, destroys expired keys, and returns whether there are new keys to enrol.
  ///
  /// The old keys stay accepted, without an expiration, until ``confirm(_:at:)``. If there are no keys, nothing
  /// happens.
  public func rotate(ifOlderThan age: Duration, at now: UnixTime = .now) throws(Failure) -> Bool {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.edit { (editor) throws(KeySetError) in
        editor.prune(at: now)
        return try !editor.rotate(ifOlderThan: age, grace: nil, at: now).isEmpty
      }
    } ?? false
  }

  /// The thumbprint of the identity that signs the device's enrolments; nil without keys.
  ///
  /// A registration that the app remembers is this device's if it was made with the same identity.
  public func identity(at now: UnixTime = .now) throws(Failure) -> Thumbprint? {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      keys.identity.records.first { $0.life.status == .active }?.id
    } ?? nil
  }

  /// Records that the backend uses the keys of an enrolment, and returns whether these include all active keys.
  ///
  /// If so, the replaced keys expire `KeySetEditor.confirmedGrace` from `now`. If keys were replaced or removed since
  /// the enrolment, nothing is changed. Call it only after the backend has answered that the enrolment is registered:
  /// while the enrolment is pending, the backend uses the old keys. With several backends, wait for the answer of the
  /// last one.
  @discardableResult
  public func confirm(_ enrolment: Enrolment, at now: UnixTime = .now) throws(Failure) -> Bool {
    try update(orMake: nil, at: now) { (keys) throws(KeySetError) in
      try keys.edit { (editor) throws(KeySetError) in try editor.confirm(enrolment, at: now) != nil }
    } ?? false
  }
}

/// An app's keys in memory, for tests.
public final class InMemoryKeyStore: EnrolmentStore {
  /// The error of a change; lookups cannot fail.
  public typealias Failure = KeySetError

  private let keys: Mutex<DeviceKeys?>
  private let vault: (any KeyVault)?

  /// The suite of the key that is made first: `p256-aesgcm` if it is in hardware, otherwise `x25519-chachapoly`.
  public var suite: Suite { vault == nil ? .x25519ChaChaPoly : .p256AESGCM }

  /// Starts with keys, or empty.
  public init(_ keys: DeviceKeys? = nil) {
    self.keys = Mutex(keys)
    vault = nil
  }

  /// Starts empty; the device's keys are made in hardware.
  package init(in vault: some KeyVault) {
    keys = Mutex(nil)
    self.vault = vault
  }

  /// Returns the device's key with this ID.
  public func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    keys.withLock { $0 }?.device.deviceKey(for: id, at: now)
  }

  /// The thumbprints of the device's keys.
  public func thumbprints(at now: UnixTime) -> [Thumbprint] {
    keys.withLock { $0 }?.device.thumbprints(at: now) ?? []
  }

  /// Changes the keys.
  ///
  /// - Throws: `KeySetError`.
  public func update<Result>(
    orMake suite: Suite?, at now: UnixTime, _ change: (inout DeviceKeys) throws(KeySetError) -> Result
  ) throws(KeySetError) -> Result? {
    try keys.withLock { (keys) throws(KeySetError) in
      guard
        var changed = try DeviceKeys(
          device: keys?.device, identity: keys?.identity, orMake: suite, in: vault, at: now)
      else { return nil }
      let result = try change(&changed)
      keys = changed
      return result
    }
  }

  /// Removes the keys.
  public func remove() { keys.withLock { $0 = nil } }
}
