/// Why an attachment was not sealed, opened or shown.
public enum AttachmentError: Error, Equatable, Sendable {
  /// An element of the list of attachments is not a JSON object.
  case notADescriptor
  /// A member of a descriptor is missing or invalid.
  case invalidMember(AttachmentMember)
  /// The descriptor has no address, so the attachment cannot be sent.
  case missingURL
  /// A message carries at most ``SealedPushMember/maximumCount`` attachments.
  case tooMany
  /// The file is longer than its kind allows, or the blob is longer than the blob of such a file. `limit` is the file's
  /// limit, in bytes.
  case tooLarge(limit: Int)
  /// The blob's header or a record does not follow the format.
  case malformedBlob
  /// A record is not authentic. The error has no further detail.
  case notAuthentic
  /// The blob is shorter or longer than the descriptor says.
  case wrongSize
  /// The blob's digest differs from the descriptor's.
  case wrongDigest
  /// The system's cryptographic library does not work or lacks an algorithm.
  case cryptoUnavailable
  /// The file cannot be read.
  case unreadable(AttachmentFileFault)
  /// The file cannot be written.
  case unwritable(AttachmentFileFault)

  /// The stable name of the error: the format's own where it has one.
  public var code: String {
    switch self {
    case .notADescriptor: "not-a-descriptor"
    case .invalidMember(let member): "invalid-\(member.rawValue)"
    case .missingURL: "missing-url"
    case .tooMany: "too-many"
    case .tooLarge: "too-large"
    case .malformedBlob: "malformed-blob"
    case .notAuthentic: "not-authentic"
    case .wrongSize: "wrong-size"
    case .wrongDigest: "wrong-digest"
    case .cryptoUnavailable: "crypto-unavailable"
    case .unreadable: "unreadable"
    case .unwritable: "unwritable"
    }
  }
}

/// The members of a descriptor.
public enum AttachmentMember: String, Sendable, CaseIterable {
  /// The blob's address.
  case url
  /// The key, 16 bytes.
  case key
  /// The blob's digest, 32 bytes.
  case sha256
  /// The blob's length, in bytes.
  case size
  /// The file's media type.
  case type
}
