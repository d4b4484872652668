// Foundation's `localizedDescription` of the errors is their description. The products link this, and the tool for one machine
// does not: it loads no Foundation.

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
public import PushAttachments
public import PushCore
public import PushEnrolment
public import PushFiles
public import PushKeys

extension AttachmentError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension AttachmentURLError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension Base64URLError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ConfigurationError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension EnvelopeFormatError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension HeaderError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension JSONError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension PayloadError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ValueError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension ProofRefusal: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension RegistrationFileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension SenderKeyFileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension SignedSetError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension FileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension KeyFileError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension KeyFileFault: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension KeySetError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension KeyStoreError: LocalizedError {
  /// The description.
  public var errorDescription: String? { description }
}

extension EnvelopeError: LocalizedError {
  /// The description.
  package var errorDescription: String? { description }
}

extension PrivateKeyError: LocalizedError {
  /// The description.
  package var errorDescription: String? { description }
}

extension SealedContentError: LocalizedError {
  /// The description.
  package var errorDescription: String? { description }
}
