/// Where a backend looks up the devices of a person, or of whatever it addresses: its own database, most likely.
public protocol RecipientDirectory<Person>: Sendable {
  /// What it looks devices up by.
  associatedtype Person: Sendable

  /// The devices, in any order; none for a person who has none, or who is not known.
  func recipients(for person: Person) async throws -> [EnrolledDevice]
}

/// Devices in memory, for tests and small services.
public struct InMemoryRecipients<Person: Hashable & Sendable>: RecipientDirectory {
  /// Who has which devices.
  public var devices: [Person: [EnrolledDevice]]

  /// Makes a directory.
  public init(_ devices: [Person: [EnrolledDevice]] = [:]) { self.devices = devices }

  /// The devices of a person.
  public func recipients(for person: Person) -> [EnrolledDevice] { devices[person] ?? [] }
}
