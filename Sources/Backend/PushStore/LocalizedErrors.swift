// Foundation's `localizedDescription` of the errors is their description.

public import FoundationEssentials

extension EnrolmentFault: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension JobFault: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension StoreError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension TooManyChallenges: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
