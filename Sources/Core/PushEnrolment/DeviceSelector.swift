public import PushCore

/// Which devices are to be removed from a directory.
public enum DeviceSelector: Hashable, Sendable {
  /// The device of the registration with this name.
  case registration(String)

  /// The devices with this identity, whatever their registrations are called.
  case identity(Thumbprint)

  /// The devices whose messages go to this token.
  case token(DeviceToken)
}

extension DeviceSelector {
  /// The columns `registration`, `identity` and `token` of a row of `removal`.
  package var columns: [String?] {
    switch self {
    case .registration(let name): [name, nil, nil]
    case .identity(let identity): [nil, identity.text, nil]
    case .token(let token): [nil, nil, token.text]
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
    }
  }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
