internal import PushCrypto
internal import PushEnvelope
internal import PushPayload

/// How an encrypted file's key is made, and the nonce that it was used with.
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

  /// Reads the rest of a header that is as it was written.
  ///
  /// - Throws: ``KeyFileError/damaged``; ``KeyFileError/keySet(_:)`` with ``KeySetError/unsupportedVersion`` for
  ///   algorithms that are not known here.
  init(_ object: JSONObject, _ parameters: Argon2id.Parameters) throws(KeyFileError) {
    guard object.keys == Self.members, let kdf = object["kdf"]?.string,
      let cipher = object["cipher"]?.string
    else { throw .damaged }
    guard kdf == Self.kdf, cipher == Self.cipher else { throw .keySet(.unsupportedVersion) }
    guard let salt = object["salt"]?.bytes, salt.count == Argon2id.saltSize,
      let nonce = object["nonce"]?.bytes, nonce.count == XChaCha20Poly1305.nonceSize
    else { throw .damaged }
    self.init(parameters: parameters, salt: salt, nonce: nonce)
  }

  /// The price of a guess, which is looked at before anything else: whoever can write the file could ask for all the
  /// memory there is.
  ///
  /// - Throws: ``KeyFileError/damaged`` if it is not said; ``KeyFileError/unreasonableParameters``.
  static func parameters(_ object: JSONObject) throws(KeyFileError) -> Argon2id.Parameters {
    guard let passes = object["passes"]?.number, let memory = object["memory"]?.number else { throw .damaged }
    guard let passes = passes.integer.flatMap(Int.init(exactly:)),
      let memory = memory.integer.flatMap(Int.init(exactly:)),
      let parameters = Argon2id.Parameters(passes: passes, memory: memory)
    else { throw .unreasonableParameters }
    return parameters
  }

  /// Its JSON, which is authenticated with the ciphertext.
  var encoded: [UInt8] { json.encoded() }

  var json: JSONObject {
    [
      "kdf": .string(Self.kdf), "passes": .number(JSONNumber(parameters.passes)),
      "memory": .number(JSONNumber(parameters.memory)), "salt": .string(Base64URL.encode(salt.span)),
      "cipher": .string(Self.cipher), "nonce": .string(Base64URL.encode(nonce.span)),
    ]
  }
}

extension JSONValue {
  /// The bytes of a string of canonical base64url.
  var bytes: [UInt8]? { string.flatMap { try? Base64URL.decode($0) } }
}
