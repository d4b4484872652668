// Foundation's `localizedDescription` of the errors is their description.

public import FoundationEssentials

extension StandInError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
