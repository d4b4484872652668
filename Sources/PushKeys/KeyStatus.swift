/// What a key may still do.
public enum KeyStatus: String, Sendable {
  /// It seals or signs, and opens or verifies.
  case active

  /// It was replaced, and opens or verifies what is still on the way.
  case accepted

  /// A sender's: it does nothing until it takes the active one's place, and is handed out by then.
  case next
}
