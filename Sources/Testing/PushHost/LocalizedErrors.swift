// Foundation's `localizedDescription` of the errors is their description.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension DegradedPush: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension PushRefusal: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension HandlerFault: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

#if !canImport(Darwin)
  extension ReactionError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
  }

  extension ExtensionChild.Failure: LocalizedError {
    /// The description.
    package var errorDescription: String? { description }
  }
#endif
