public import PushEnvelope
public import PushKeys

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

/// A device as a backend knows it.
public struct EnrolledDevice: Hashable, Sendable {
  /// Where APNs finds it.
  public var token: DeviceToken

  /// The public keys that it enrolled; null if it has none, so that nothing can be sealed to it.
  public var keys: PublicKeySet?

  /// The app that enrolled; null if the backend serves only one.
  public var topic: Topic?

  /// Which of APNs' environments the token is for; null if the backend uses only one.
  public var environment: APNsEnvironment?

  /// The backend's own name for the device; null if it has none.
  public var registration: String?

  /// Describes a device.
  public init(
    token: DeviceToken, keys: PublicKeySet?, topic: Topic? = nil, environment: APNsEnvironment? = nil,
    registration: String? = nil
  ) {
    self.registration = registration
    self.token = token
    self.keys = keys
    self.topic = topic
    self.environment = environment
  }

  /// The device of a registration, whose signature was checked.
  public init(_ registration: Registration) {
    let address = registration.enrolment.address
    self.init(
      token: address.token, keys: registration.enrolment.keys, topic: address.topic,
      environment: address.environment, registration: registration.name)
  }
}
