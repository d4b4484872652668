import PushCrypto
import PushTesting

/// The questions about ciphers: authenticated encryption and HPKE.
enum Ciphers {
  /// Encrypts `text`, with `key`, `nonce` and `data`.
  static func seal(_ question: Question) throws -> [UInt8] {
    let (text, data) = (question["text"], question["data"])
    let (key, nonce) = (question["key"], question["nonce"])
    return switch question.name {
    case "xchacha20-poly1305":
      try XChaCha20Poly1305.seal(text.span, authenticating: data.span, key: key.span, nonce: nonce.span)
    case "xsalsa20-poly1305": try XSalsa20Poly1305.seal(text.span, key: key.span, nonce: nonce.span)
    default:
      try aead(question).seal(text.span, authenticating: data.span, key: key.span, nonce: nonce.span)
    }
  }

  /// Decrypts `text`, with `key`, `nonce` and `data`.
  static func open(_ question: Question) throws -> [UInt8] {
    let (text, data) = (question["text"], question["data"])
    let (key, nonce) = (question["key"], question["nonce"])
    let plaintext =
      switch question.name {
      case "xchacha20-poly1305":
        try XChaCha20Poly1305.open(text.span, authenticating: data.span, key: key.span, nonce: nonce.span)
      case "xsalsa20-poly1305": try XSalsa20Poly1305.open(text.span, key: key.span, nonce: nonce.span)
      default:
        try aead(question).open(text.span, authenticating: data.span, key: key.span, nonce: nonce.span)
      }
    return [UInt8](copying: plaintext.exposedBytes)
  }

  /// Seals `text` to `publicKey`, with `info` and `data`, and the ephemeral key of `ikm`.
  static func hpkeSeal(_ question: Question) throws -> [[UInt8]] {
    let (text, publicKey) = (question["text"], question["publicKey"])
    let (info, data) = (question["info"], question["data"])
    let message = try HPKE.seal(
      text.span, to: publicKey.span, suite: suite(question), info: info.span, aad: data.span,
      random: FixedRandomness(bytes: question["ikm"]))
    return [message.encapsulatedKey, message.ciphertext]
  }

  /// Opens `text` and its `encapsulatedKey`, with `privateKey` and its `publicKey`, `info` and `data`.
  static func hpkeOpen(_ question: Question) throws -> [UInt8] {
    let (text, encapsulatedKey) = (question["text"], question["encapsulatedKey"])
    let (privateKey, publicKey) = (question["privateKey"], question["publicKey"])
    let (info, data) = (question["info"], question["data"])
    let plaintext = try HPKE.open(
      text.span, encapsulatedKey: encapsulatedKey.span, skR: privateKey.span, pkR: publicKey.span,
      suite: suite(question), info: info.span, aad: data.span)
    return [UInt8](copying: plaintext.exposedBytes)
  }

  private static func aead(_ question: Question) -> AEAD {
    switch question.name {
    case "chacha20-poly1305": .chaCha20Poly1305
    case "aes-128-gcm": .aes128GCM
    case "aes-192-gcm": .aes192GCM
    case "aes-256-gcm": .aes256GCM
    default: preconditionFailure("no such algorithm")
    }
  }

  private static func suite(_ question: Question) -> HPKESuite {
    switch question.name {
    case "x25519-chachapoly": .x25519ChaChaPoly
    case "p256-aesgcm": .p256AESGCM
    default: preconditionFailure("no such suite")
    }
  }
}
