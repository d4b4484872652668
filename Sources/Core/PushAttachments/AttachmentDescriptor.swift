package import PushCrypto
public import PushCore

/// Everything a device needs to fetch, check and open one attachment.
///
/// It contains the key, so it is sent only inside the sealed content. Its descriptions show only what the blob's host
/// knows, too.
public struct AttachmentDescriptor: Sendable {
  /// The blob's address; `nil` until the blob is uploaded.
  public var url: AttachmentURL?

  /// The SHA-256 digest of the blob (not of the file), 32 bytes.
  public let sha256: [UInt8]

  /// The length of the blob, in bytes.
  public let size: Int

  /// The type of the file.
  public let type: AttachmentType

  /// The blob's own key, 16 bytes.
  package let key: SharedSecret

  /// Describes a sealed blob.
  init(key: SharedSecret, sha256: [UInt8], size: Int, type: AttachmentType) {
    self.key = key
    self.sha256 = sha256
    self.size = size
    self.type = type
  }

  /// Reads a descriptor.
  ///
  /// Unknown members are ignored, and `url` may be missing.
  ///
  /// - Throws: ``AttachmentError/invalidMember(_:)``.
  public init(parsing object: JSONObject) throws(AttachmentError) {
    let members = DescriptorMembers(of: object)
    url = try members.url()
    key = try members.key()
    sha256 = try members.digest()
    size = try members.size()
    type = try members.type()
  }

  /// Checks that the blob is no longer than the blob of a file of `limit` bytes.
  ///
  /// - Throws: ``AttachmentError/tooLarge(limit:)``.
  func check(limit: Int, layout: BlobLayout = .standard) throws(AttachmentError) {
    if let most = layout.blobSize(ofFile: limit), size > most { throw .tooLarge(limit: limit) }
  }

  /// The descriptor as JSON, including the key.
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

  /// The members that are safe to print.
  ///
  /// The key is left out, and so is the address, because knowing it is often enough to fetch the blob.
  public var customMirror: Mirror {
    Mirror(self, children: ["sha256": sha256, "size": size, "type": type], displayStyle: .struct)
  }
}

/// Reads a descriptor's members.
///
/// Errors name the member at fault.
private struct DescriptorMembers {
  private let object: JSONObject

  init(of object: JSONObject) { self.object = object }

  func url() throws(AttachmentError) -> AttachmentURL? {
    guard let value = object[AttachmentMember.url.rawValue] else { return nil }
    guard let text = value.string, let url = try? AttachmentURL(text) else { throw .invalidMember(.url) }
    return url
  }

  func key() throws(AttachmentError) -> SharedSecret {
    let text = try text(of: .key)
    let size = AEAD.aes128GCM.keySize
    guard text.utf8.count == Base64URL.encodedSize(of: size) else { throw .invalidMember(.key) }
    var characters = Array(text.utf8)
    defer { characters.wipe() }
    var isCanonical = true
    let key = Secret(count: size) { bytes in
      var count = 0
      do {
        try Base64URL.decode(characters.span) { byte in
          bytes[count] = byte
          count += 1
        }
      } catch {
        isCanonical = false
      }
    }
    guard isCanonical else { throw .invalidMember(.key) }
    return SharedSecret(key)
  }

  func digest() throws(AttachmentError) -> [UInt8] {
    guard let bytes = try? Base64URL.decode(try text(of: .sha256)), bytes.count == SHA256.digestSize else {
      throw .invalidMember(.sha256)
    }
    return bytes
  }

  func size() throws(AttachmentError) -> Int {
    guard let number = object[AttachmentMember.size.rawValue]?.number?.integer,
      let size = Int(exactly: number), BlobLayout.standard.fileSize(ofBlob: size) != nil
    else { throw .invalidMember(.size) }
    return size
  }

  func type() throws(AttachmentError) -> AttachmentType {
    guard let type = AttachmentType(rawValue: try text(of: .type)) else { throw .invalidMember(.type) }
    return type
  }

  private func text(of member: AttachmentMember) throws(AttachmentError) -> String {
    guard let text = object[member.rawValue]?.string else { throw .invalidMember(member) }
    return text
  }
}
