/// Whose keys a set holds: a set serves one purpose.
public enum KeyRole: String, Sendable {
  /// Keys that open messages; a JWK's `use` is `enc`.
  case device

  /// Keys that sign messages; a JWK's `use` is `sig`.
  case sender

  /// Keys that both sides know, which seal and open messages; a JWK's `use` is `enc`.
  ///
  /// Such a set has no public half: the file itself goes to the other side, in secret.
  case shared

  /// A device's key that signs its public keys, by which a backend knows it again; a JWK's `use` is `sig`.
  ///
  /// It is made at the first launch, and never replaced.
  case identity

  /// A sender's key that signs its public keys, kept offline and built into the app; a JWK's `use` is `sig`.
  case root

  /// The member `role` of a set whose keys do not tell whose they are; null of one whose keys do.
  var name: String? {
    switch self {
    case .device, .sender, .shared: nil
    case .identity, .root: rawValue
    }
  }

  /// Whether such a set may have keys of an algorithm.
  func has(_ algorithm: KeyAlgorithm) -> Bool { name == nil ? algorithm.role == self : algorithm == .ed25519 }
}

extension KeyRole {
  /// A JWK's `use`.
  var use: String {
    switch self {
    case .device, .shared: "enc"
    case .sender, .identity, .root: "sig"
    }
  }
}
