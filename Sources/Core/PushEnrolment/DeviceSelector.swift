public import PushCore

/// Which devices are to be removed from a directory.
public enum DeviceSelector: Hashable, Sendable {
  /// The device of the registration with this name.
  case registration(String)

  /// The devices with this identity, whatever their registrations are called.
  case identity(Thumbprint)

  /// The devices whose messages go to this token.
  case token(DeviceToken)

  /// The person's share of the device of the registration with this name; of all the person's devices if it is nil.
  ///
  /// A device that belongs to nobody else is removed.
  case person(String, registration: String?)
}

extension DeviceSelector {
  /// The columns `registration`, `identity`, `token` and `person` of a row of `removal`.
  package var columns: [String?] {
    switch self {
    case .registration(let name): [name, nil, nil, nil]
    case .identity(let identity): [nil, identity.text, nil, nil]
    case .token(let token): [nil, nil, token.text, nil]
    case .person(let person, let name): [name, nil, nil, person]
    }
  }
}

/// Keeps names and tokens out of logs.
extension DeviceSelector: CustomStringConvertible, CustomReflectable {
  /// By what it selects.
  public var description: String {
    switch self {
    case .registration: "the device of a registration"
    case .identity(let identity): "the devices of identity \(identity)"
    case .token: "the devices at a token"
    case .person: "a person's share"
    }
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
