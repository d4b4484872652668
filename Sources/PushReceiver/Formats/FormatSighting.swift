/// That a push had the envelope of another system, which the receiver knows.
public struct FormatSighting: Hashable, Sendable {
  /// The format's name, such as `openssl-salted`.
  public let name: String

  /// Whether its time is over, so that it was not opened.
  public let isOver: Bool
}
