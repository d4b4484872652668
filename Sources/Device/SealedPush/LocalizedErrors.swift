// Foundation's `localizedDescription` of the errors is their description.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import PushReceiver

extension DegradeReason: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ReceiverFileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ReplayStoreError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension StepFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension StringTableError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ServiceError: LocalizedError {
  /// The description.
  package var errorDescription: String? { description }
}

#if canImport(Security)
  extension StorageError: LocalizedError {
    /// The description.
    public var errorDescription: String? { description }
  }
#endif

extension RegistrationFailure: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}
