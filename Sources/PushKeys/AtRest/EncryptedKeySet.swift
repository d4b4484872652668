internal import PushCrypto
internal import PushEnvelope
internal import PushPayload

/// A private key set as it stands in a file that a passphrase opens.
///
/// `{"v":1,"encrypted":{…},"ciphertext":"…","sha256":"…"}`. The object `encrypted`, without white space, is
/// authenticated with the ciphertext; `sha256` is the digest of both, which tells a damaged file from a wrong
/// passphrase.
struct EncryptedKeySet {
  private static let members = ["v", "encrypted", "ciphertext", "sha256"]

  let header: EncryptionHeader
  let ciphertext: [UInt8]

  init(header: EncryptionHeader, ciphertext: [UInt8]) {
    self.header = header
    self.ciphertext = ciphertext
  }

  /// Whether a file's bytes are an encrypted set, as far as its first members say.
  static func isEncrypted(_ file: Span<UInt8>) -> Bool {
    var json = JSONReader(file)
    guard (try? json.beginObject()) != nil else { return false }
    while let name = try? json.nextKey() {
      if name == "encrypted" { return true }
      // A key set's own members hold secrets, and are not read here.
      guard name == "v", (try? json.readValue()) != nil else { return false }
    }
    return false
  }

  /// Reads a file.
  ///
  /// - Throws: ``KeyFileError/damaged``; ``KeyFileError/unreasonableParameters``, whatever else there is;
  ///   ``KeyFileError/keySet(_:)`` with ``KeySetError/unsupportedVersion``.
  init(parsing file: Span<UInt8>) throws(KeyFileError) {
    guard let object = try? JSONObject(parsing: file), let version = object["v"]?.number else {
      throw .damaged
    }
    guard version.integer == 1 else { throw .keySet(.unsupportedVersion) }
    guard object.keys == Self.members, let header = object["encrypted"]?.object,
      let ciphertext = object["ciphertext"]?.bytes, let digest = object["sha256"]?.bytes
    else { throw .damaged }
    let parameters = try EncryptionHeader.parameters(header)
    guard digest == Self.digest(header.encoded(), ciphertext) else { throw .damaged }
    self.header = try EncryptionHeader(header, parameters)
    self.ciphertext = ciphertext
  }

  /// The file's bytes.
  func encoded() -> [UInt8] {
    let object: JSONObject = [
      "v": 1, "encrypted": .object(header.json),
      "ciphertext": .string(Base64URL.encode(ciphertext.span)),
      "sha256": .string(Base64URL.encode(Self.digest(header.encoded, ciphertext).span)),
    ]
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  private static func digest(_ header: [UInt8], _ ciphertext: [UInt8]) -> [UInt8] {
    let bytes = header + ciphertext
    return SHA256.digest(bytes.span)
  }
}
