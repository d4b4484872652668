internal import PushCrypto
internal import PushEnvelope
internal import PushPayload

/// Reads the members of one descriptor, and names the one at fault.
struct DescriptorMembers {
  private let object: JSONObject

  init(_ object: JSONObject) { self.object = object }

  func url() throws(AttachmentError) -> AttachmentURL? {
    guard let value = object[AttachmentMember.url.rawValue] else { return nil }
    guard let text = value.string, let url = try? AttachmentURL(text) else { throw .invalidMember(.url) }
    return url
  }

  func key() throws(AttachmentError) -> SharedSecret {
    let text = try text(.key)
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
    guard let bytes = try? Base64URL.decode(try text(.sha256)), bytes.count == SHA256.digestSize else {
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
    guard let type = AttachmentType(rawValue: try text(.type)) else { throw .invalidMember(.type) }
    return type
  }

  private func text(_ member: AttachmentMember) throws(AttachmentError) -> String {
    guard let text = object[member.rawValue]?.string else { throw .invalidMember(member) }
    return text
  }
}
