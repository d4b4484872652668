import PushCore
import PushEnrolment
import PushKeys
import PushStore

/// A directory in which something else happens between the first reading and the first writing.
actor Interruption: DeviceDirectory {
  private let store: any Store
  private var event: (@Sendable () async throws -> Void)?

  /// How often somebody wanted to write.
  private(set) var attempts = 0

  init(_ store: any Store, _ event: @escaping @Sendable () async throws -> Void) {
    (self.store, self.event) = (store, event)
  }

  func apply(_ changes: [RegistrationChange]) async throws(StoreError) -> Bool {
    attempts += 1
    if let event {
      self.event = nil
      try? await event()
    }
    return try await store.apply(changes)
  }

  func devices(
    of persons: [String], includingQuarantined: Bool
  ) async throws(StoreError) -> [[StoredDevice]] {
    try await store.devices(of: persons, includingQuarantined: includingQuarantined)
  }

  func devices(after name: String?, atMost count: Int) async throws(StoreError) -> [StoredDevice] {
    try await store.devices(after: name, atMost: count)
  }

  func registration(named name: String) async throws(StoreError) -> VersionedRegistration? {
    try await store.registration(named: name)
  }

  func neighbours(
    of enrolment: Enrolment, named name: String, pending count: Int
  ) async throws(StoreError) -> [VersionedRegistration] {
    try await store.neighbours(of: enrolment, named: name, pending: count)
  }

  func registrations(
    at address: DeviceAddress, after name: String?, atMost count: Int
  ) async throws(StoreError) -> [VersionedRegistration] {
    try await store.registrations(at: address, after: name, atMost: count)
  }

  func quarantine(_ address: DeviceAddress) async throws(StoreError) -> Int {
    try await store.quarantine(address)
  }

  func release(_ address: DeviceAddress) async throws(StoreError) -> Int { try await store.release(address) }

  func forget(person: String) async throws(StoreError) -> Int { try await store.forget(person: person) }
}
