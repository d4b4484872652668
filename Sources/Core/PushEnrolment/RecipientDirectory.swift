/// Looks up the devices of a person, or of anything else that a backend addresses, usually in its database.
public protocol RecipientDirectory<Person>: Sendable {
  /// The type by which devices are looked up: ``Addressee``, or a type of your own.
  associatedtype Person: Sendable

  /// Returns the devices, in any order; an empty array if the person has none or is unknown.
  func recipients(for person: Person) async throws -> [EnrolledDevice]
}

/// Whose devices a notification is for, by the backend's own names.
///
/// A name is 1 to 255 bytes of UTF-8 without control characters. Names are compared byte by byte.
public enum Addressee: Sendable {
  /// All devices of the person with this name.
  case person(String)

  /// The one device of the registration with this name.
  case registration(String)
}

/// Keeps persons and names out of logs.
extension Addressee: CustomStringConvertible, CustomReflectable {
  /// Whether it is a person or a registration.
  public var description: String {
    switch self {
    case .person: "a person"
    case .registration: "a registration"
    }
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
