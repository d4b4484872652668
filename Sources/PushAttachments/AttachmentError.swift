/// Why an attachment is not sealed, not opened, or not shown.
public enum AttachmentError: Error, Equatable, Sendable {
  /// What stands in the list of attachments is no JSON object.
  case notADescriptor
  /// A member of a descriptor is missing or wrong.
  case invalidMember(AttachmentMember)
  /// It cannot be sent without saying where the blob is.
  case missingURL
  /// A message carries at most ``SealedPushMember/maximumCount`` of them.
  case tooMany
  /// The file is longer than its kind may be, or the blob longer than such a file makes it: `limit` is the
  /// file's, in bytes.
  case tooLarge(limit: Int)
  /// The blob's header or a record has another form than the format's.
  case malformedBlob
  /// A record does not open. Why is not said.
  case notAuthentic
  /// The blob is shorter or longer than the descriptor says.
  case wrongSize
  /// The blob is not the one that the descriptor describes.
  case wrongDigest
  /// The system's cryptographic library does not work.
  case cryptoUnavailable
  /// The file to read cannot be read.
  case unreadable(AttachmentFileFault)
  /// The file to make cannot be made.
  case unwritable(AttachmentFileFault)

  /// The reason in one word, which does not change: the format's where it has one.
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
  /// Where the blob is.
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
