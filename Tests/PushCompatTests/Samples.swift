import PushCompat
import PushCrypto
import PushCore
import Testing

/// Values that the tests of this target share.
enum Sample {
  static let plaintext = #"{"title":"Hi","body":"Secret"}"#
  static let password = "correct horse"

  /// `plaintext` under `password`, the salt 01 02 … 08 and `-pbkdf2` alone.
  static let salted = "U2FsdGVkX18BAgMEBQYHCP4gQNgG45IRi9CrqIvK9lf0wr5WYUoCJoAOMHMfoMPZ"
}

func salted(
  _ password: String = Sample.password, _ derivation: OpenSSLSalted.Derivation = .pbkdf2,
  member: EnvelopeKey = .default
) throws -> OpenSSLSalted {
  let password = [UInt8](password.utf8)
  guard
    let format = OpenSSLSalted.unauthenticated(
      password: password.span, derivation: derivation, member: member)
  else { throw SampleError.refused }
  return format
}

enum SampleError: Error { case refused }

extension Trait where Self == ConditionTrait {
  /// For what a secret box holds.
  static var needsXSalsa20: Self { .enabled(if: XSalsa20Poly1305.isAvailable, "CryptoKit has no XSalsa20") }

  /// For what a sealed box holds.
  static var needsSealedBoxes: Self {
    .enabled(if: SealedBox.isAvailable, "CryptoKit has no XSalsa20 and no BLAKE2b")
  }
}

/// What is opened, as text.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A payload with a string in its member.
func payload(_ envelope: String, member: String = "ENCRYPTED_DATA") -> JSONObject {
  ["aps": ["mutable-content": 1, "alert": "(Encrypted)"], member: .string(envelope)]
}

/// A source that gives the same bytes each time.
struct FixedRandom: RandomSource {
  let value: [UInt8]

  func fill(_ bytes: inout MutableSpan<UInt8>) {
    precondition(bytes.count == value.count, "the source has \(value.count) bytes, not \(bytes.count)")
    for index in bytes.indices { bytes[index] = value[index] }
  }
}
