package import PushCrypto
internal import PushEnvelope
public import PushPayload

/// What a device needs to fetch, check and open one attachment.
///
/// It has the key, so it travels inside the sealed content alone, and nothing of it is printed but what the
/// blob's host knows too.
public struct AttachmentDescriptor: Sendable {
  /// Where the blob is; null until it has been uploaded.
  public var url: AttachmentURL?

  /// SHA-256 of the blob, not of the file, 32 bytes.
  public let sha256: [UInt8]

  /// The length of the blob, in bytes.
  public let size: Int

  /// The type of the file.
  public let type: AttachmentType

  /// The blob's own key, 16 bytes.
  package let key: SharedSecret

  /// Makes a descriptor of a blob that was sealed.
  init(key: SharedSecret, sha256: [UInt8], size: Int, type: AttachmentType) {
    self.key = key
    self.sha256 = sha256
    self.size = size
    self.type = type
  }

  /// Reads a descriptor; members that are not known are ignored, and `url` may be absent.
  ///
  /// - Throws: ``AttachmentError/invalidMember(_:)``.
  public init(parsing object: JSONObject) throws(AttachmentError) {
    let members = DescriptorMembers(object)
    url = try members.url()
    key = try members.key()
    sha256 = try members.digest()
    size = try members.size()
    type = try members.type()
  }

  /// Checks that the blob is no longer than that of a file of `limit` bytes.
  ///
  /// - Throws: ``AttachmentError/tooLarge(limit:)``.
  func check(limit: Int, _ layout: BlobLayout = .standard) throws(AttachmentError) {
    if let most = layout.blobSize(ofFile: limit), size > most { throw .tooLarge(limit: limit) }
  }

  /// The descriptor as JSON, the key included.
  public func json() -> JSONObject {
    var object: JSONObject = [:]
    if let url { object[AttachmentMember.url.rawValue] = .string(url.text) }
    object[AttachmentMember.key.rawValue] = .string(Base64URL.encode(key.exposedBytes))
    object[AttachmentMember.sha256.rawValue] = .string(Base64URL.encode(sha256.span))
    object[AttachmentMember.size.rawValue] = .number(JSONNumber(size))
    object[AttachmentMember.type.rawValue] = .string(type.rawValue)
    return object
  }
}

extension AttachmentDescriptor: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type and the blob's length.
  public var description: String { "AttachmentDescriptor(\(type.rawValue), size: \(size))" }

  /// The type and the blob's length.
  public var debugDescription: String { description }

  /// What may be shown: neither the key nor the address, which is often a capability of its own.
  public var customMirror: Mirror {
    Mirror(self, children: ["sha256": sha256, "size": size, "type": type], displayStyle: .struct)
  }
}
