import PushCrypto
import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

extension SharedFaults {
  func bindingFaults() throws -> [DegradedVector] {
    let key = keys.sharedFile["keys"]?.array?.last?.object?["k"]?.string ?? ""
    let jwk = Array(#"{"k":"\#(key)","kty":"oct"}"#.utf8)
    let rfc7638 = try #require(Thumbprint(SHA256.digest(jwk.span)))
    let thumbprint = try keys.shared.recipient(at: VectorKeys.made).thumbprint
    let topic = try Topic(Forge.topic)
    let bindings: [(String, String, MessageBinding)] = [
      (
        "bound-to-other-suite", "the suite in info is X25519's",
        MessageBinding(topic: topic, suite: .x25519ChaChaPoly, recipient: thumbprint)
      ),
      (
        "bound-to-rfc-7638", "T in info is RFC 7638's thumbprint of the key",
        MessageBinding(topic: topic, suite: .sharedChaChaPoly, recipient: rfc7638)
      ),
    ]
    return try bindings.map { name, comment, binding in
      try resealed(name, "4.2", comment, info: binding.info)
    } + [
      try faulty("topic-other", "4.2", .notAuthentic, "sealed for another app") {
        $0.topic = "com.example.other"
      },
      try resealed("aad-not-empty", "4.3", "sealed with additional data", aad: [0]),
    ]
  }

  /// A good message, encrypted once more from the key itself, under another `info` or with additional data.
  private func resealed(
    _ name: String, _ rule: String, _ comment: String, info: [UInt8]? = nil, aad: [UInt8] = []
  ) throws -> DegradedVector {
    let key = FixedRandomness.bytes(of: "shared key")
    return try faulty(name, rule, .notAuthentic, comment) { forge in
      let (plaintext, info, salt) = (
        try forge.plaintext(), try info ?? forge.binding().info, forge.randomness
      )
      let okm = SharedKey.derive(count: 76, from: key.span, salt: salt.span, info: info.span)
      let secrets = [UInt8](copying: okm.exposedBytes)
      let (key, nonce) = (Array(secrets[32..<64]), Array(secrets[64...]))
      let ciphertext = try AEAD.chaCha20Poly1305.seal(
        plaintext.span, authenticating: aad.span, key: key.span, nonce: nonce.span)
      forge.changeEnvelope = { Array($0.prefix(10)) + salt + secrets.prefix(32) + ciphertext }
    }
  }
}
