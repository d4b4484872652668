// Foundation's `localizedDescription` of the errors is their description.

public import FoundationEssentials

extension DeliveryError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension HTTPProxyError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ProviderTokenError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
