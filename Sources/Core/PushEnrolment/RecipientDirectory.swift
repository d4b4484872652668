public import PushCore
public import PushKeys

/// Looks up the devices of a person, or of anything else that a backend addresses, usually in its database.
public protocol RecipientDirectory<Person>: Sendable {
  /// The type by which devices are looked up.
  associatedtype Person: Sendable

  /// Returns the devices, in any order; an empty array if the person has none or is unknown.
  func recipients(for person: Person) async throws -> [EnrolledDevice]
}

/// A device as a backend knows it.
public struct EnrolledDevice: Hashable, Sendable {
  /// Its APNs device token.
  public var token: DeviceToken

  /// The public keys that it enrolled and proved; nil if there are none, so that nothing can be sealed to it.
  public var keys: PublicKeySet?

  /// The app that enrolled; nil if the backend serves only one app.
  public var topic: Topic?

  /// The APNs environment of the token; nil if the backend uses only one.
  public var environment: APNsEnvironment?

  /// The backend's own name for the registration; nil if it has none.
  public var registration: String?

  /// The backend's own name for the person who has the device; nil if it has none.
  public var person: String?

  /// Makes a device.
  public init(
    token: DeviceToken, keys: PublicKeySet?, topic: Topic? = nil, environment: APNsEnvironment? = nil,
    registration: String? = nil, person: String? = nil
  ) {
    self.registration = registration
    self.person = person
    self.token = token
    self.keys = keys
    self.topic = topic
    self.environment = environment
  }

  /// Makes the device of a registration whose signature has been verified.
  ///
  /// It has only proven keys and their token; if none are proven, it has no keys.
  public init(_ registration: Registration) {
    let address = (registration.proven?.enrolment ?? registration.enrolment).address
    self.init(
      token: address.token, keys: registration.proven?.keys, topic: address.topic,
      environment: address.environment, registration: registration.name, person: registration.person)
  }
}

/// Keeps persons and names out of logs.
extension EnrolledDevice: CustomStringConvertible, CustomReflectable {
  /// The size of the token, and the app.
  public var description: String { "device \(token), \(topic?.text ?? "any app")" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
