/// What stands where sealed text cannot be shown, as in Apple's sample.
public enum Placeholder {
  /// `(Encrypted)`.
  public static let text = "(Encrypted)"
}
