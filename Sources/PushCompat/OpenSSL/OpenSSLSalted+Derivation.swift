internal import PushCrypto

extension OpenSSLSalted {
  /// A digest, as `openssl enc -md` names it.
  public enum Digest: String, Sendable, CaseIterable {
    /// MD5, which is broken: the default without `-pbkdf2` before OpenSSL 1.1.0.
    case md5
    /// SHA-1.
    case sha1
    /// SHA-256, the default since.
    case sha256
    /// SHA-512.
    case sha512

    var function: PushCrypto.Digest {
      switch self {
      case .md5: .md5
      case .sha1: .sha1
      case .sha256: .sha256
      case .sha512: .sha512
      }
    }
  }

  /// How a password and a salt become a key, which an envelope does not say: both sides have to know.
  public struct Derivation: Hashable, Sendable {
    private enum Function: Hashable {
      case pbkdf2(iterations: Int)
      case bytesToKey
    }

    private let function: Function
    private let digest: Digest

    /// `-pbkdf2` alone: 10,000 iterations with SHA-256, which are few by now.
    public static let pbkdf2 = Derivation(function: .pbkdf2(iterations: 10_000), digest: .sha256)

    /// `-pbkdf2 -iter … -md …`; null unless there are 1 to 1,000,000 iterations, which every push costs again.
    ///
    /// CommonCrypto has no PBKDF2 with MD5, so envelopes of that one are sealed and open on Linux only.
    public static func pbkdf2(iterations: Int, digest: Digest = .sha256) -> Derivation? {
      guard PBKDF2.iterations.contains(iterations) else { return nil }
      return Derivation(function: .pbkdf2(iterations: iterations), digest: digest)
    }

    /// Without `-pbkdf2`: one round of a digest, so that only a password of 128 random bits keeps anything secret.
    public static func bytesToKey(_ digest: Digest) -> Derivation {
      Derivation(function: .bytesToKey, digest: digest)
    }

    /// A key, 32 bytes, and behind it an initialization vector, 16 bytes.
    func key(of password: Span<UInt8>, salt: Span<UInt8>) throws(CryptoError) -> Secret {
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
