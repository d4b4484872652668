public import PushEnrolment
internal import PushKeys

/// The registered devices of persons.
///
/// Names and persons are compared byte by byte. What it has written is durable when it returns.
public protocol DeviceDirectory: Sendable {
  /// The devices of each person, in the order of the persons; an empty array for one who has none.
  ///
  /// Those without proven keys are left out. Nothing is to be sent to those in quarantine, which are left out too unless
  /// `includingQuarantined` is true.
  ///
  /// - Throws: ``StoreError``.
  func devices(
    of persons: [String], includingQuarantined: Bool
  ) async throws(StoreError) -> [[StoredDevice]]

  /// The next `count` devices after a registration's name, in the order of the names' bytes, in quarantine or not, with
  /// proven keys or without; nil starts with the first.
  ///
  /// - Throws: ``StoreError``.
  func devices(after name: String?, atMost count: Int) async throws(StoreError) -> [StoredDevice]

  /// The registration with this name; nil if there is none.
  ///
  /// - Throws: ``StoreError``.
  func registration(named name: String) async throws(StoreError) -> VersionedRegistration?

  /// The registrations that an enrolment may be in conflict with: the one with the name, and those that have proven the
  /// identity, the token, or any of the key IDs.
  ///
  /// Besides those, up to `count` of the others that have enrolled with any of these and have not proven it. There may be
  /// any number of them. First are those whose messages go to the token already, because they have proven their keys.
  ///
  /// - Throws: ``StoreError``.
  func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) async throws(StoreError) -> [VersionedRegistration]

  /// The next `count` registrations after one with this name whose messages go to this address, in the order of the names'
  /// bytes; nil starts with the first.
  ///
  /// Those without proven keys get no messages.
  ///
  /// - Throws: ``StoreError``.
  func registrations(
    at address: DeviceAddress, after name: String?, atMost count: Int
  ) async throws(StoreError) -> [VersionedRegistration]

  /// Makes all changes or none, and returns whether it did: false if one was in the way.
  ///
  /// What is in the way is a registration that has changed since it was read, and another's proven identity, token or key.
  ///
  /// - Throws: ``StoreError``.
  func apply(_ changes: [RegistrationChange]) async throws(StoreError) -> Bool

  /// Sends nothing more to an address, because APNs refused it (400, `BadDeviceToken` or `DeviceTokenNotForTopic`), and
  /// returns how many devices that were not in quarantine have it.
  ///
  /// A new enrolment of the device, or ``release(_:)``, ends the quarantine.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func quarantine(_ address: DeviceAddress) async throws(StoreError) -> Int

  /// Ends the quarantine of the devices with this address, and returns how many were in it.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func release(_ address: DeviceAddress) async throws(StoreError) -> Int

  /// Removes everything of a person, and returns how many rows it was: devices, jobs that wait or are leased, dead
  /// letters, and enrolments.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func forget(person: String) async throws(StoreError) -> Int
}

extension DeviceDirectory {
  /// The devices to seal to of each person, in the order of the persons; an empty array for one who has none.
  ///
  /// Those without proven keys, and those in quarantine, are left out.
  ///
  /// - Throws: ``StoreError``.
  public func devices(of persons: [String]) async throws(StoreError) -> [[StoredDevice]] {
    try await devices(of: persons, includingQuarantined: false)
  }
}
