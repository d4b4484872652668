/// Why a text is no envelope that this version reads.
public enum EnvelopeError: Error, Equatable, Sendable {
  /// It is longer than 8192 characters.
  case tooLarge
  /// It is not canonical base64url.
  case notBase64URL(Base64URLError)
  /// Bytes are missing.
  case truncated
  /// Its first byte is not 1.
  case unsupportedVersion(UInt8)
  /// Its second byte names no known suite.
  case unsupportedSuite(UInt8)
  /// The encapsulated key does not have its suite's form.
  case badEncapsulatedKey
}
