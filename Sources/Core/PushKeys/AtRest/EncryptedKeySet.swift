internal import PushCrypto
internal import PushCore

/// The contents of a key file that is encrypted with a passphrase.
///
/// `{"v":1,"encrypted":{…},"ciphertext":"…","sha256":"…"}`. The object `encrypted`, without white space, is the
/// additional authenticated data of the ciphertext. `sha256` is the digest of both; it distinguishes a damaged file
/// from a wrong passphrase.
struct EncryptedKeySet {
  private static let members = ["v", "encrypted", "ciphertext", "sha256"]

  let header: EncryptionHeader
  let ciphertext: [UInt8]

  init(header: EncryptionHeader, ciphertext: [UInt8]) {
    self.header = header
    self.ciphertext = ciphertext
  }

  /// Whether a file is an encrypted set, which its first members show.
  static func isEncrypted(_ file: Span<UInt8>) -> Bool {
    var json = JSONReader(file)
    guard (try? json.beginObject()) != nil else { return false }
    while let name = try? json.nextKey() {
      if name == "encrypted" { return true }
      // The members of an unencrypted set hold secrets, so they are not read here.
      guard name == "v", (try? json.readValue()) != nil else { return false }
    }
    return false
  }

  /// Parses a file.
  ///
  /// - Throws: ``KeyFileFault/damaged``; ``KeyFileFault/unreasonableParameters``; ``KeyFileFault/keySet(_:)`` with
  ///   ``KeySetError/unsupportedVersion``.
  init(parsing file: Span<UInt8>) throws(KeyFileFault) {
    guard let object = try? JSONObject(parsing: file), let version = object["v"]?.number else {
      throw .damaged
    }
    guard version.integer == 1 else { throw .keySet(.unsupportedVersion) }
    guard object.keys == Self.members, let header = object["encrypted"]?.object,
      let ciphertext = object["ciphertext"]?.bytes, let digest = object["sha256"]?.bytes
    else { throw .damaged }
    let parameters = try EncryptionHeader.parameters(in: header)
    guard digest == Self.digest(header: header.encoded(), ciphertext: ciphertext) else { throw .damaged }
    self.header = try EncryptionHeader(parsing: header, parameters: parameters)
    self.ciphertext = ciphertext
  }

  /// The file's bytes.
  func encoded() -> [UInt8] {
    let object: JSONObject = [
      "v": 1, "encrypted": .object(header.json),
      "ciphertext": .string(Base64URL.encode(ciphertext.span)),
      "sha256": .string(Base64URL.encode(Self.digest(header: header.encoded, ciphertext: ciphertext).span)),
    ]
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  private static func digest(header: [UInt8], ciphertext: [UInt8]) -> [UInt8] {
    let bytes = header + ciphertext
    return SHA256.digest(bytes.span)
  }
}

/// The key derivation parameters and the nonce of an encrypted file.
///
/// `{"kdf":"argon2id","passes":3,"memory":268435456,"salt":"…","cipher":"xchacha20-poly1305","nonce":"…"}`.
struct EncryptionHeader {
  private static let members = ["kdf", "passes", "memory", "salt", "cipher", "nonce"]
  private static let kdf = "argon2id"
  private static let cipher = "xchacha20-poly1305"

  let parameters: Argon2id.Parameters
  /// 16 bytes.
  let salt: [UInt8]
  /// 24 bytes.
  let nonce: [UInt8]

  init(parameters: Argon2id.Parameters, salt: [UInt8], nonce: [UInt8]) {
    self.parameters = parameters
    self.salt = salt
    self.nonce = nonce
  }

  /// Reads the other members of an undamaged header.
  ///
  /// - Throws: ``KeyFileFault/damaged``; ``KeyFileFault/keySet(_:)`` with ``KeySetError/unsupportedVersion`` for
  ///   unknown algorithms.
  fileprivate init(parsing object: JSONObject, parameters: Argon2id.Parameters) throws(KeyFileFault) {
    guard object.keys == Self.members, let kdf = object["kdf"]?.string,
      let cipher = object["cipher"]?.string
    else { throw .damaged }
    guard kdf == Self.kdf, cipher == Self.cipher else { throw .keySet(.unsupportedVersion) }
    guard let salt = object["salt"]?.bytes, salt.count == Argon2id.saltSize,
      let nonce = object["nonce"]?.bytes, nonce.count == XChaCha20Poly1305.nonceSize
    else { throw .damaged }
    self.init(parameters: parameters, salt: salt, nonce: nonce)
  }

  /// Reads the Argon2id cost.
  ///
  /// It is checked first, because an attacker who can write the file could demand all of the memory.
  ///
  /// - Throws: ``KeyFileFault/damaged`` if the cost is missing; ``KeyFileFault/unreasonableParameters``.
  fileprivate static func parameters(in object: JSONObject) throws(KeyFileFault) -> Argon2id.Parameters {
    guard let passes = object["passes"]?.number, let memory = object["memory"]?.number else { throw .damaged }
    guard let passes = passes.integer.flatMap(Int.init(exactly:)),
      let memory = memory.integer.flatMap(Int.init(exactly:)),
      let parameters = Argon2id.Parameters(passes: passes, memory: memory)
    else { throw .unreasonableParameters }
    return parameters
  }

  /// The JSON that is authenticated with the ciphertext.
  var encoded: [UInt8] { json.encoded() }

  fileprivate var json: JSONObject {
    [
      "kdf": .string(Self.kdf), "passes": .number(JSONNumber(parameters.passes)),
      "memory": .number(JSONNumber(parameters.memory)), "salt": .string(Base64URL.encode(salt.span)),
      "cipher": .string(Self.cipher), "nonce": .string(Base64URL.encode(nonce.span)),
    ]
  }
}

extension JSONValue {
  /// The decoded bytes if the value is a string of canonical base64url.
  fileprivate var bytes: [UInt8]? { string.flatMap { try? Base64URL.decode($0) } }
}
