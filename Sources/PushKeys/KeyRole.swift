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
}
