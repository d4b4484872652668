/// What came of a push that had the envelope of another system, which the receiver knows.
public struct FormatSighting: Hashable, Sendable {
  /// What became of the envelope.
  public enum Fate: Hashable, Sendable {
    /// It was opened, and shown.
    case opened
    /// It was not, although its format was still accepted: an ``EnvelopeFormatError``'s code, or `malformed-content`.
    case failed(code: String)
    /// Its format's time was over, so that it was not tried.
    case over
  }

  /// The format's name, such as `openssl-salted`.
  public let name: String

  /// What became of the envelope.
  public let fate: Fate

  /// Why it was not opened, in a word; null if it was.
  var fault: String? {
    switch fate {
    case .opened: nil
    case .failed(let code): code
    case .over: "over"
    }
  }
}
