public import Testing

/// A change that makes one property of a configuration wrong, and what the error says.
public struct WrongProperty<Configuration>: Sendable, CustomTestStringConvertible {
  /// What the error says.
  public let testDescription: String

  /// Makes the property wrong.
  public let change: @Sendable (inout Configuration) -> Void

  /// Makes a change.
  public init(_ text: String, _ change: @escaping @Sendable (inout Configuration) -> Void) {
    (testDescription, self.change) = (text, change)
  }
}
