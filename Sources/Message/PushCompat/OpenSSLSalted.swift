package import PushCrypto
public import PushCore

/// The format that `openssl enc -aes-256-cbc -salt` writes: `Salted__`, a salt of 8 bytes, and AES-256-CBC under a key
/// that is derived from a password.
///
/// A payload carries it in base64 (`-a`, or `-a -A` for a single line), which starts with `U2FsdGVkX1`. Envelopes written
/// with `-S`, which leaves out `Salted__` and the salt, or with `-K` are not of this format.
///
/// The format lacks:
/// - authentication: anyone who carries a message can alter it, and can choose part of the result;
/// - a sender: anyone who can open a message can write one;
/// - replay protection and an expiry;
/// - an identifier of its key, of the iterations and of the digest;
/// - forward secrecy and a memory-hard key derivation: the password of a stored message can be guessed offline.
public struct OpenSSLSalted: EnvelopeFormat {
  /// `openssl-salted`.
  public static let name = "openssl-salted"

  /// The longest password, in bytes.
  public static let maximumPasswordSize = 1024

  /// The member that carries the envelope.
  public let member: EnvelopeKey

  /// How the key is derived.
  public let derivation: Derivation

  private let password: SharedSecret

  /// Opens and seals with a password of 1 to 1024 bytes; `nil` for any other length.
  ///
  /// The password is copied; the caller wipes its own. The plaintext is not authenticated, as the type's description
  /// says.
  public static func unauthenticated(
    password: Span<UInt8>, derivation: Derivation = .pbkdf2, member: EnvelopeKey = .default
  ) -> OpenSSLSalted? {
    guard (1...maximumPasswordSize).contains(password.count) else { return nil }
    return OpenSSLSalted(
      member: member, derivation: derivation, password: SharedSecret(Secret(copying: password)))
  }

  /// Whether a string in the payload, or in a Live Activity's `content-state`, starts like this format.
  public static func isRecognized(_ payload: JSONObject) -> Bool { firstStart(in: payload) != nil }

  /// Whether the member that this value names is a string that starts like this format.
  public func recognizes(_ payload: JSONObject) -> Bool {
    member.value(in: payload).map(Self.isStart) ?? false
  }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    guard let (member, value) = firstStart(in: payload) else { return inspectRaw(payload) }
    let bytes = try? EnvelopeText(value, named: member).decoded(by: StandardBase64.decodeLines)
    guard let bytes, isWellFormed(bytes.span) else {
      return ForeignEnvelope(format: name, members: [member], ciphertextSize: nil)
    }
    return ForeignEnvelope(
      format: name, members: [member], ciphertextSize: bytes.count - saltRange.upperBound,
      details: ["salt": ForeignEnvelope.hexadecimal(of: bytes[saltRange])])
  }

  /// Inspects an envelope whose bytes are written as characters, as in Apple's sample.
  ///
  /// JSON cannot carry such bytes, so no such envelope opens; it is only named for the person who inspects the payload.
  private static func inspectRaw(_ payload: JSONObject) -> ForeignEnvelope? {
    guard let (member, _) = firstMember(of: payload, startingWith: magic) else { return nil }
    return ForeignEnvelope(
      format: name, members: [member], ciphertextSize: nil, details: ["encoding": "raw"])
  }

  private static func firstStart(in payload: JSONObject) -> (key: String, value: JSONValue)? {
    firstMember(of: payload, startingWith: base64Magic)
  }

  private static func firstMember(
    of payload: JSONObject, startingWith start: [UInt8]
  ) -> (key: String, value: JSONValue)? {
    let state = payload["aps"]?.object?["content-state"]?.object ?? JSONObject()
    let isStart = { (value: JSONValue) in value.string?.utf8.starts(with: start) ?? false }
    return payload.first { isStart($0.value) } ?? state.first { isStart($0.value) }
  }

  private static func isStart(_ value: JSONValue) -> Bool {
    value.string?.utf8.starts(with: base64Magic) ?? false
  }
}

extension OpenSSLSalted: CustomReflectable {
  /// An empty mirror, so that no password is printed.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: Opening and sealing

extension OpenSSLSalted {
  private static let magic = [UInt8]("Salted__".utf8)

  /// The base64 of `Salted__`, without the characters that depend on the salt after it.
  private static let base64Magic = [UInt8]("U2FsdGVkX1".utf8)

  /// The salt's 8 bytes, between `Salted__` and the ciphertext.
  private static let saltRange = 8..<16

  /// Whether an envelope is `Salted__`, a salt and at least one whole block.
  private static func isWellFormed(_ bytes: Span<UInt8>) -> Bool {
    let size = bytes.count - saltRange.upperBound
    return size > 0 && size.isMultiple(of: AESCBC.blockSize)
      && magic.indices.allSatisfy { bytes[$0] == magic[$0] }
  }

  /// Opens the member's envelope, and returns the plaintext.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` without the member; `notAuthentic` if the padding is wrong; one wrong
  ///   password in 256 passes this check.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    try open(EnvelopeText(member.value(in: payload), named: member.text))
  }

  /// Opens an envelope in base64, on one line or several.
  ///
  /// - Throws: `EnvelopeFormatError`, as ``open(_:)`` does.
  public func open(text: String) throws(EnvelopeFormatError) -> [UInt8] {
    try open(EnvelopeText(text, named: member.text))
  }

  private func open(_ text: EnvelopeText) throws(EnvelopeFormatError) -> [UInt8] {
    let bytes = try text.decoded(by: StandardBase64.decodeLines)
    return try open(bytes: bytes.span)
  }

  /// Opens an envelope as bytes, as `openssl enc` writes it without `-a`.
  ///
  /// - Throws: `EnvelopeFormatError`, as ``open(_:)`` does.
  public func open(bytes: Span<UInt8>) throws(EnvelopeFormatError) -> [UInt8] {
    guard bytes.count <= EnvelopeText.maximumByteCount else { throw .tooLarge }
    guard Self.isWellFormed(bytes) else { throw .malformed(member: member.text) }
    do throws(CryptoError) {
      let derived = try derivedKey(salt: bytes.extracting(Self.saltRange))
      let plaintext = try AESCBC.decrypt(
        bytes.extracting(droppingFirst: Self.saltRange.upperBound),
        key: derived.exposedBytes.extracting(first: 32),
        initializationVector: derived.exposedBytes.extracting(droppingFirst: 32))
      return [UInt8](copying: plaintext.exposedBytes)
    } catch {
      throw EnvelopeFormatError(error)
    }
  }

  /// Seals a plaintext under a new salt, and returns the envelope in base64, on one line.
  ///
  /// `openssl enc -d -aes-256-cbc -a -A` opens it.
  ///
  /// - Throws: `EnvelopeFormatError`: `tooLarge` if the text would be longer than 8192 characters, `unavailable`.
  public func seal(_ plaintext: Span<UInt8>) throws(EnvelopeFormatError) -> String {
    let bytes = try sealedBytes(of: plaintext)
    return StandardBase64.text(of: bytes.span)
  }

  /// Seals a plaintext, and returns the envelope as bytes, as `openssl enc` writes it without `-a`.
  ///
  /// - Throws: `EnvelopeFormatError`, as `seal(_:)` does.
  public func sealedBytes(of plaintext: Span<UInt8>) throws(EnvelopeFormatError) -> [UInt8] {
    try sealedBytes(of: plaintext, random: SystemRandom())
  }

  /// Seals a plaintext under a salt from `random`.
  package func sealedBytes(
    of plaintext: Span<UInt8>, random: some RandomSource
  ) throws(EnvelopeFormatError) -> [UInt8] {
    // The padding takes at most a whole block.
    let overhead = Self.saltRange.upperBound + AESCBC.blockSize
    guard plaintext.count <= EnvelopeText.maximumByteCount - overhead else { throw .tooLarge }
    var salt = [UInt8](repeating: 0, count: EVPBytesToKey.saltSize)
    var span = salt.mutableSpan
    random.fill(&span)
    do throws(CryptoError) {
      let derived = try derivedKey(salt: salt.span)
      let ciphertext = try AESCBC.encrypt(
        plaintext, key: derived.exposedBytes.extracting(first: 32),
        initializationVector: derived.exposedBytes.extracting(droppingFirst: 32))
      return Self.magic + salt + ciphertext
    } catch {
      throw EnvelopeFormatError(error)
    }
  }

  /// Derives the key, 32 bytes, followed by the initialization vector, 16 bytes.
  private func derivedKey(salt: Span<UInt8>) throws(CryptoError) -> SharedSecret {
    let password = self.password
    return SharedSecret(try derivation.key(of: password.exposedBytes, salt: salt))
  }
}

// MARK: From password to key

extension OpenSSLSalted {
  /// A digest, as `openssl enc -md` names it.
  public enum Digest: String, Sendable, CaseIterable {
    /// MD5, which is broken. It was the default without `-pbkdf2` before OpenSSL 1.1.0.
    case md5
    /// SHA-1.
    case sha1
    /// SHA-256, the default since OpenSSL 1.1.0.
    case sha256
    /// SHA-512.
    case sha512

    fileprivate var function: PushCrypto.Digest {
      switch self {
      case .md5: .md5
      case .sha1: .sha1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    }
  }

  /// How a key is derived from a password and a salt.
  ///
  /// The envelope does not name the derivation; both sides must know it.
  public struct Derivation: Hashable, Sendable {
    private enum Function: Hashable {
      case pbkdf2(iterations: Int)
      case bytesToKey
    }

    private let function: Function
    private let digest: Digest

    /// `-pbkdf2` alone: 10,000 iterations with SHA-256, which is few by today's standards.
    public static let pbkdf2 = Derivation(function: .pbkdf2(iterations: 10_000), digest: .sha256)

    /// `-pbkdf2 -iter … -md …`; `nil` unless there are 1 to 1,000,000 iterations.
    ///
    /// Every push takes the time of all iterations. CommonCrypto has no PBKDF2 with MD5: on Apple's systems the result
    /// is `nil` for it too.
    public static func pbkdf2(iterations: Int, digest: Digest = .sha256) -> Derivation? {
      guard PBKDF2.iterations.contains(iterations), PBKDF2.isAvailable(with: digest.function) else {
        return nil
      }
      return Derivation(function: .pbkdf2(iterations: iterations), digest: digest)
    }

    /// Without `-pbkdf2`: one round of a digest.
    ///
    /// Use it only with a password that has 128 random bits.
    public static func bytesToKey(digest: Digest) -> Derivation {
      Derivation(function: .bytesToKey, digest: digest)
    }

    /// Derives a key, 32 bytes, followed by an initialization vector, 16 bytes.
    fileprivate func key(of password: Span<UInt8>, salt: Span<UInt8>) throws(CryptoError) -> Secret {
      switch function {
      case .pbkdf2(let iterations):
        try PBKDF2.key(
          of: password, salt: salt, iterations: iterations, digest: digest.function, count: EVPBytesToKey.size
        )
      case .bytesToKey: try EVPBytesToKey.key(of: password, salt: salt, digest: digest.function)
      }
    }
  }
}
