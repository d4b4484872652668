/// Whose keys a set holds: a set serves one purpose.
public enum KeyRole: String, Sendable {
  /// Keys that open messages; a JWK's `use` is `enc`.
  case device

  /// Keys that sign messages; a JWK's `use` is `sig`.
  case sender
}
