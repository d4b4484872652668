// Foundation's `localizedDescription` of the errors is their description. The products link this, and the tool for one machine
// does not: it loads no Foundation.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import PushSealer

extension DeviceError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RecipientFileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RecipientFileError.Fault: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension SealError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
