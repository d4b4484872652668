public import PushFiles

/// Why an attachment was not sealed, opened or shown.
public enum AttachmentError: Error, Equatable, Sendable {
  /// An element of the list of attachments is not a JSON object.
  case notADescriptor
  /// A member of a descriptor is missing or invalid.
  case invalidMember(AttachmentMember)
  /// The descriptor has no address, so the attachment cannot be sent.
  case missingURL
  /// There are more attachments than a notification may have.
  case tooMany
  /// The file is longer than `limit` bytes, which its kind allows, or the blob is longer than such a file's blob.
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
  case unreadable(FileError, path: String)
  /// The file cannot be written.
  case unwritable(FileError, path: String)

  /// The stable name of the error, from FORMAT.md if it has one.
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

extension AttachmentError: CustomStringConvertible {
  /// What is wrong, and with which file or member.
  public var description: String { description(of: "the file") }

  /// What is wrong, with `input` as the name of the file that was read.
  package func description(of input: String) -> String {
    switch self {
    case .unreadable(let fault, let path): fault.sentence(reading: PrintableText.escaped(path))
    case .unwritable(let fault, let path): fault.sentence(writing: PrintableText.escaped(path))
    case .tooLarge(let limit): "\(input) is too large: iOS shows at most \(limit) bytes of its kind"
    case .malformedBlob: "\(input) is not a sealed blob"
    case .notAuthentic: "\(input) does not decrypt"
    case .wrongSize: "\(input) does not have the length in the descriptor"
    case .wrongDigest: "\(input) does not have the SHA-256 hash in the descriptor"
    case .notADescriptor: "the descriptor is not a JSON object"
    case .invalidMember(let member): "'\(member.rawValue)' is missing or wrong"
    case .missingURL: "the descriptor has no 'url'"
    case .tooMany: "a notification has at most \(SealedPushMember.maximumCount) attachments"
    case .cryptoUnavailable: "the system's OpenSSL does not support AES-128-GCM or SHA-256"
    }
  }
}

extension FileError {
  fileprivate func sentence(reading path: String) -> String {
    switch self {
    case .missing, .exists: "there is no \(path)"
    case .notRegularFile: "\(path) is not a regular file"
    case .notPermitted: "cannot read \(path): not permitted"
    default: "cannot read \(path): \(self)"
    }
  }

  fileprivate func sentence(writing path: String) -> String {
    switch self {
    case .exists: "\(path) exists"
    case .missing: "cannot create \(path): its folder does not exist"
    case .notRegularFile: "\(path) is not a regular file"
    case .notPermitted: "cannot create \(path): not permitted"
    default: "cannot write \(path): \(self)"
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
