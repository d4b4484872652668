/// Why a configuration cannot be used.
public struct ConfigurationError: Error, Hashable, Sendable {
  /// The property that is wrong, such as `retries.maximumAttempts`.
  public let property: String

  /// What it must be, such as `1 or more`.
  public let rule: String

  package init(_ property: String, mustBe rule: String) {
    self.property = property
    self.rule = rule
  }
}

extension ConfigurationError: CustomStringConvertible {
  /// The property, and what it must be.
  public var description: String { "\(property): must be \(rule)" }
}

/// Checks the properties of a configuration.
package struct PropertyCheck {
  /// The longest time that a property may give: a century.
  ///
  /// Sums of such times stay in range.
  package static let longest = Duration.seconds(36_525 * 86_400)

  private let owner: String

  /// Names the property that has the checked ones, such as `retries`; empty for none.
  package init(of owner: String = "") { self.owner = owner.isEmpty ? "" : owner + "." }

  /// Throws unless the property is valid.
  package func require(
    _ property: String, mustBe rule: String, _ isValid: Bool
  ) throws(ConfigurationError) {
    guard isValid else { throw ConfigurationError(owner + property, mustBe: rule) }
  }

  /// Throws unless a number is at least `least`.
  package func require(
    _ property: String, _ value: Int, atLeast least: Int = 1
  ) throws(ConfigurationError) {
    try require(property, mustBe: "\(least) or more", value >= least)
  }

  /// Throws unless a number is in a range; what is no number is in none.
  package func require(
    _ property: String, _ value: Double, in range: ClosedRange<Double>
  ) throws(ConfigurationError) {
    try require(
      property, mustBe: "a number from \(range.lowerBound) to \(range.upperBound)", range.contains(value))
  }

  /// Throws unless a time is at least `least`, and at most ``longest``.
  package func require(
    _ property: String, _ time: Duration, atLeast least: Duration = .zero
  ) throws(ConfigurationError) {
    try require(property, mustBe: "from \(least) to a century", (least...Self.longest).contains(time))
  }
}
