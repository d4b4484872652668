public import PushCore
public import PushEnrolment
internal import PushKeys

/// The registered devices of persons.
///
/// Names and persons are compared byte by byte. Changes are durable when a call returns.
public protocol DeviceDirectory: RecipientDirectory, EnrolmentDirectory
where Person == Addressee, EnrolmentFailure == StoreError {
  /// The devices of each person, in the order of the persons; an empty array for a person without devices.
  ///
  /// Devices without proven keys are left out, and so are those in quarantine, to which nothing may be sent. If
  /// `includingUnreachable` is true, there are also those in quarantine and those that prove a new token because APNs no
  /// longer accepts the last one, which have no keys: see ``StoredDevice/isReachable``.
  ///
  /// - Throws: ``StoreError``.
  func devices(
    of persons: [String], includingUnreachable: Bool
  ) async throws(StoreError) -> [[StoredDevice]]

  /// The next `count` devices after a registration's name, in the order of the names' bytes, in quarantine or not, with
  /// proven keys or without; nil starts with the first.
  ///
  /// - Throws: ``StoreError``.
  func devices(after name: String?, atMost count: Int) async throws(StoreError) -> [StoredDevice]

  /// The device of the registration with this name, in quarantine or not, with proven keys or without; nil if there is
  /// none.
  ///
  /// - Throws: ``StoreError``.
  func device(named name: String) async throws(StoreError) -> StoredDevice?

  /// Whether there is a registration of this app, with proven keys or without.
  ///
  /// - Throws: ``StoreError``.
  func hasRegistration(of topic: Topic) async throws(StoreError) -> Bool

  /// The registration with this name; nil if there is none.
  ///
  /// - Throws: ``StoreError``.
  func registration(named name: String) async throws(StoreError) -> VersionedRegistration?

  /// The next `count` registrations after a name, in the order of the names' bytes; nil starts with the first.
  ///
  /// - Throws: ``StoreError``.
  func registrations(after name: String?, atMost count: Int) async throws(StoreError)
    -> [VersionedRegistration]

  /// The next `count` devices after a registration's name, in the order of the names' bytes, as a `FleetReport` counts them;
  /// nil starts with the first.
  ///
  /// Devices without proven keys and devices in quarantine are left out: nothing is sent to them.
  ///
  /// - Throws: ``StoreError``.
  func fleet(after name: String?, atMost count: Int) async throws(StoreError) -> [FleetDevice]

  /// The registrations that an enrolment may be in conflict with: the one with the name, and those that have proven the
  /// identity, the token, or any of the key IDs.
  ///
  /// It adds up to `count` of the registrations that have enrolled with any of these and have not proven it; there may be
  /// any number. First come those that have proven their keys, so that their messages already go to the token.
  ///
  /// - Throws: ``StoreError``.
  func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) async throws(StoreError) -> [VersionedRegistration]

  /// The next `count` registrations after one with this name whose messages go to this address, in the order of the names'
  /// bytes; nil starts with the first.
  ///
  /// Registrations without proven keys get no messages.
  ///
  /// - Throws: ``StoreError``.
  func registrations(
    address: DeviceAddress, after name: String?, atMost count: Int
  ) async throws(StoreError) -> [VersionedRegistration]

  /// Makes all changes or none, and returns whether it made them.
  ///
  /// It makes none if a registration has changed since it was read, or if another registration has proven the same
  /// identity, token or key.
  ///
  /// - Throws: ``StoreError``.
  func apply(_ changes: [RegistrationChange]) async throws(StoreError) -> Bool

  /// What the store knows of an identity whose proven token has changed lately; nil if nothing.
  ///
  /// - Throws: ``StoreError``.
  func alternation(of identity: Thumbprint) async throws(StoreError) -> TokenAlternation?

  /// Suspends the identity of a registration, which loses what it has proven and what is pending; false, and no change, if
  /// it has changed since it was read, or its token has not changed lately.
  ///
  /// `accept(_:as:person:login:proving:)` does that, and refuses the enrolments of a suspended identity.
  ///
  /// - Throws: ``StoreError``.
  func suspend(_ known: VersionedRegistration) async throws(StoreError) -> Bool

  /// Counts that APNs has refused an address (400, `BadDeviceToken` or `DeviceTokenNotForTopic`), and returns how many
  /// devices this puts into quarantine.
  ///
  /// They go into quarantine after three refusals over 24 hours or more; refusals within an hour count as one, and none
  /// counts for more than 7 days after the last. `age` is how long ago APNs has accepted a push to any device of the
  /// same topic and environment, nil if nobody knows: a server that has accepted nothing since the first refusal may be a
  /// wrong one, and puts no device into quarantine.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func countRefusal(of address: DeviceAddress, acceptedAgo age: Duration?) async throws(StoreError) -> Int

  /// At most `count` of the addresses that APNs has refused lately: call ``release(_:)`` when it accepts one of them.
  ///
  /// It forgets the refusals that count no longer.
  ///
  /// - Throws: ``StoreError``.
  func refusedAddresses(atMost count: Int) async throws(StoreError) -> [DeviceAddress]

  /// Puts the devices with an address into quarantine at once, and returns how many were not in quarantine before.
  ///
  /// A worker calls ``countRefusal(of:acceptedAgo:)`` instead. A new enrolment of the device, or ``release(_:)``, ends the
  /// quarantine.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func quarantine(_ address: DeviceAddress) async throws(StoreError) -> Int

  /// Ends the quarantine of the devices with this address, forgets how often it was refused, and returns how many
  /// devices were in quarantine.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func release(_ address: DeviceAddress) async throws(StoreError) -> Int

  /// Removes devices, such as a lost phone, with their enrolments that have no answer, and returns the registrations' names.
  ///
  /// Nothing is sealed to them by any look-up that begins afterwards. Removing what is not there does nothing.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func remove(_ devices: DeviceSelector) async throws(StoreError) -> [String]

  /// Removes the registrations of a device that leaves, and returns their names; if it removes none of those that have its
  /// identity, why: FORMAT.md, [11.27].
  ///
  /// A registration whose enrolment is newer than the leave stays, whichever of the two is committed first. The leave's
  /// serial is kept with the identity, so that enrolments that were signed before are refused: see ``departed(_:)``. If no
  /// registration has the identity, nothing is changed, and the result is empty.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func leave(_ leave: Leave) async throws(StoreError) -> Result<[String], SignedSetError>

  /// What is kept of a device that was removed by ``remove(_:)``, by ``leave(_:)`` or by a row of `removal`; nil if nothing
  /// is.
  ///
  /// - Throws: ``StoreError``.
  func departed(_ identity: Thumbprint) async throws(StoreError) -> DepartedDevice?

  /// Removes up to `count` of the registrations that have proven nothing and have not enrolled for at least `age`, and of what
  /// is kept of devices that left ``DepartedDevice/keptTime`` ago; returns how many it removed.
  ///
  /// Call it again while it returns `count`.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func removeIdle(olderThan age: Duration, atMost count: Int) async throws(StoreError) -> Int

  /// Removes everything about a person, and returns how many rows it removed: devices, waiting and leased jobs, dead
  /// letters, enrolments, and outcomes.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func forget(person: String) async throws(StoreError) -> Int
}

extension DeviceDirectory {
  /// The devices to seal to of each person, in the order of the persons; an empty array for a person without devices.
  ///
  /// Devices without proven keys and devices in quarantine are left out.
  ///
  /// - Throws: ``StoreError``.
  public func devices(of persons: [String]) async throws(StoreError) -> [[StoredDevice]] {
    try await devices(of: persons, includingUnreachable: false)
  }

  /// Whether a message to this person can be sent to a device now: its keys are proven, and it is not in quarantine.
  ///
  /// `topic` is the device's app; nil is any. Whether the person lets the app show notifications is not known.
  ///
  /// - Throws: ``StoreError``.
  public func isReachable(_ person: String, in topic: Topic? = nil) async throws(StoreError) -> Bool {
    try await devices(of: [person])[0].contains { topic == nil || $0.address.topic == topic }
  }

  /// The devices to seal to of a person, or the device of a registration.
  ///
  /// Devices without proven keys and devices in quarantine are left out.
  ///
  /// - Throws: ``StoreError``.
  public func recipients(for addressee: Addressee) async throws(StoreError) -> [EnrolledDevice] {
    switch addressee {
    case .person(let name): return try await devices(of: [name])[0].map(\.device)
    case .registration(let name):
      guard let device = try await device(named: name), device.quarantinedAt == nil, device.device.keys != nil
      else { return [] }
      return [device.device]
    }
  }
}
