import PushCrypto
import PushCore
import PushReceiver

@testable import PushCompat

/// The configurations, with keys that are the same in every run.
extension CompatibilityCase {
  private static let secret = Keys.bytes("compatibility")
  private static var key: [UInt8] { Array(secret.prefix(32)) }
  private static var nonce: [UInt8] { Array(secret[100..<124]) }

  static let openSSLSalted = [OpenSSLSalted.Derivation.pbkdf2(iterations: 2)!, .bytesToKey(digest: .md5)].map
  {
    derivation in
    let format = OpenSSLSalted.unauthenticated(password: key.span, derivation: derivation)!
    return CompatibilityCase(
      format: format, isAuthenticated: false,
      seal: { try format.sealedBytes(of: $0.span, random: Keys.randomness("salt")) },
      carry: { ["ENCRYPTED_DATA": base64($0)] })
  }

  static let bark = [16, 24, 32].flatMap { size in
    let key = Array(secret.prefix(size))
    return [
      CompatibilityCase(
        format: Bark.unauthenticatedCBC(key: key.span)!, isAuthenticated: false,
        seal: {
          try AESCBC.encrypt(
            $0.span, key: key.span, initializationVector: Array("0123456789abcdef".utf8).span)
        },
        carry: { ["ciphertext": base64($0), "iv": "0123456789abcdef"] }),
      CompatibilityCase(
        format: Bark.gcm(key: key.span)!, isAuthenticated: true,
        seal: { plaintext in
          let aead: AEAD = size == 16 ? .aes128GCM : size == 24 ? .aes192GCM : .aes256GCM
          return try aead.seal(
            plaintext.span, authenticating: Span(), key: key.span, nonce: Array("0123456789ab".utf8).span)
        },
        carry: { ["ciphertext": base64($0), "iv": "0123456789ab"] }),
    ]
  }

  private static let pushKeys = WebPushKeys(
    privateKey: key.span, authenticationSecret: Array(secret[32..<48]).span)!

  static let webPush = [WebPushCarriage.z85, .base64URL].map { carriage in
    CompatibilityCase(
      format: WebPush(keys: pushKeys, carriage: carriage), isAuthenticated: true,
      seal: {
        try WebPush.seal(
          $0.span, to: pushKeys.subscription, padding: 0, random: Keys.randomness("web push"))
      },
      carry: { carriage.members(of: $0.span) })
  }

  static let webPushDraft = [WebPushCarriage.z85, .base64URL].map { carriage in
    let (privateKey, salt) = (Array(secret[48..<80]), Array(secret[80..<96]))
    let (publicKey, receiver) = ((try? P256.publicKey(of: privateKey.span))!, pushKeys.subscription.publicKey)
    return CompatibilityCase(
      format: WebPushDraft(keys: pushKeys, carriage: carriage), isAuthenticated: true,
      seal: { plaintext in
        let ecdh = try P256.sharedSecret(privateKey: privateKey.span, publicKey: receiver.span)
        let cipher = WebPushCipher(
          coding: .aesgcm, ecdh: ecdh.exposedBytes, subscription: pushKeys.subscription,
          sender: publicKey.span, salt: salt.span)
        guard plaintext.count + 2 < 4096 else { throw EnvelopeFormatError.tooLarge }
        let record = [0, 0] + plaintext
        return try cipher.seal(record.span)
      },
      carry: { body in
        var payload = carriage.members(of: body.span)
        payload["k"] = carriage.members(of: publicKey.span).first { _ in true }?.value
        payload["s"] = carriage.members(of: salt.span).first { _ in true }?.value
        return payload
      })
  }

  static let sealedBox: [CompatibilityCase] = {
    let format = SodiumSealedBox(privateKey: key.span)!
    return [
      CompatibilityCase(
        format: format, isAuthenticated: true,
        seal: { plaintext in
          let text = Array(try SodiumSealedBox.seal(plaintext.span, to: format.recipient).utf8)
          return StandardBase64.decode(text.span)!
        },
        carry: { ["sealed_box": base64($0)] })
    ]
  }()

  static let zulip: [CompatibilityCase] = {
    let zulipKey = ZulipKey(random: Keys.randomness("zulip"))
    return [
      CompatibilityCase(
        format: Zulip(keys: [zulipKey]), isAuthenticated: true,
        seal: { plaintext in
          let members = try Zulip.seal(plaintext.span, with: zulipKey, random: Keys.randomness("zulip"))
          return StandardBase64.decode(Array((members["encrypted_data"]?.string ?? "").utf8).span)!
        },
        carry: { ["push_key_id": .number(JSONNumber(Int64(zulipKey.id))), "encrypted_data": base64($0)] })
    ]
  }()

  static let homeAssistant: [CompatibilityCase] = {
    let (key, nonce) = (Self.key, Self.nonce)
    return [
      CompatibilityCase(
        format: HomeAssistant(key: .truncated(secret: key.span)!, webhookID: "hook"), isAuthenticated: true,
        seal: { try nonce + XSalsa20Poly1305.seal($0.span, key: key.span, nonce: nonce.span) },
        carry: { ["encrypted": true, "encrypted_data": base64($0), "webhook_id": "hook"] })
    ]
  }()

  private static func base64(_ bytes: [UInt8]) -> JSONValue {
    .string(String(decoding: StandardBase64.encode(bytes.span), as: UTF8.self))
  }
}
