@testable internal import PushCrypto
package import PushCore
package import PushKeys
private import PushTesting

/// Makes a message byte by byte, without the sealer and without `SealedContent`, so that a test can put one fault into
/// any step.
package struct Forge {
  package static let topic = "com.example.app"
  package static let outer: JSONObject = [
    "aps": [
      "alert": ["title": "New notification", "body": "(Encrypted)"], "mutable-content": 1,
      "sound": "default",
    ]
  ]
  package static let issuedAt: UInt64 = 1_795_000_000

  /// What the randomness and the message id follow from.
  package let label: String
  /// The message id, 16 bytes.
  package var messageID: [UInt8]
  /// The ephemeral key's seed, X-Wing's 64 bytes for both of its parts, or a shared key's salt.
  package var randomness: [UInt8]
  package var recipient: Recipient
  package var signer: SigningKey?
  package var topic = Forge.topic
  /// The content type and flags; nil: what they should be.
  package var firstByte: UInt8?
  package var issuedAt = Forge.issuedAt
  package var lifetime: UInt32 = 2_592_000
  package var content = Array(#"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#.utf8)
  package var padding: [UInt8] = [0x80, 0, 0, 0]
  /// What the signature is for, if it is not for this message.
  package var signedBinding: MessageBinding?
  package var changeSignature: ([UInt8]) -> [UInt8] = { $0 }
  /// Makes the signature in the signer's place.
  package var sign: (([UInt8]) throws -> [UInt8])?
  package var changePlaintext: ([UInt8]) -> [UInt8] = { $0 }
  package var changeEnvelope: ([UInt8]) -> [UInt8] = { $0 }
  package var changeText: (String) -> String = { $0 }
  package var aad: [UInt8] = []

  package init(_ label: String, to recipient: Recipient, from signer: SigningKey?) {
    self.label = label
    messageID = Self.messageID(of: label)
    randomness = FixedRandomness.bytes(of: label)
    if recipient.suite == .xwingAESGCM { randomness += FixedRandomness.bytes(of: "\(label), X25519") }
    self.recipient = recipient
    self.signer = signer
  }

  /// The outer payload.
  package func payload() throws -> JSONObject {
    var payload = Self.outer
    payload["ENCRYPTED_DATA"] = .string(try text())
    return payload
  }

  /// The envelope's text.
  package func text() throws -> String {
    let envelope = changeEnvelope(try envelope())
    return changeText(Base64URL.encode(envelope.span))
  }

  /// The message id that follows from a label.
  package static func messageID(of label: String) -> [UInt8] {
    var bytes = Array(FixedRandomness.bytes(of: "message id \(label)").prefix(MessageID.size))
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }

  package func binding() throws -> MessageBinding {
    recipient.binding(for: try Topic(topic))
  }

  package func plaintext() throws -> [UInt8] {
    let type = firstByte ?? (signer == nil ? 0x10 : 0x11)
    var head = [type] + messageID
    head += [UInt8](bigEndian: issuedAt, count: 8) + [UInt8](bigEndian: lifetime, count: 4)
    guard let signer else { return changePlaintext(head + content + padding) }
    head += signer.publicKey.thumbprint.keyID.bytes
    let input =
      Array("sealed-push v1 signature\0".utf8) + (try signedBinding ?? binding()).info + head + content
    let signature = try sign?(input) ?? signer.sign(input.span)
    return changePlaintext(head + changeSignature(signature) + content + padding)
  }

  /// The envelope's bytes, before they are changed.
  package func envelope() throws -> [UInt8] {
    let plaintext = try plaintext()
    let random = FixedRandomness(bytes: randomness)
    guard let publicKey = recipient.publicKey, let suite = HPKESuite(recipient.suite) else {
      return try recipient.seal(plaintext.span, for: try Topic(topic), random: random).encoded()
    }
    let info = try binding().info
    let message = try HPKE.seal(
      plaintext.span, to: publicKey.bytes.span, suite: suite, info: info.span, aad: aad.span, random: random)
    return header + message.encapsulatedKey + message.ciphertext
  }

  private var header: [UInt8] {
    [1, recipient.suite.rawValue] + recipient.thumbprint.keyID.bytes
  }

  /// An envelope that anyone can make: the encapsulated key is a point of small order, and the ciphertext is right
  /// for the all-zero shared secret that it gives with every private key.
  package func zeroSecretPayload(encapsulatedKey enc: [UInt8]) throws -> JSONObject {
    try payload(encapsulatedKey: enc, secret: [UInt8](repeating: 0, count: 32))
  }

  /// An envelope with an encapsulated key that no sealer makes: all else follows from what Diffie-Hellman gives with it.
  package func payload(encapsulatedKey enc: [UInt8], secret dh: [UInt8]) throws -> JSONObject {
    let info = try binding().info
    let plaintext = try plaintext()
    let isX25519 = recipient.suite == .x25519ChaChaPoly
    let kem = LabeledHKDF(suiteID: Array("KEM".utf8) + [0x00, isX25519 ? 0x20 : 0x10])
    let context = enc + (recipient.publicKey?.bytes ?? [])
    kem.extractKey(salt: Span(), label: "eae_prk", ikm: dh.span)
    let secret = kem.expand(label: "shared_secret", count: 32) { $0.update(context.span) }
    var hpke = HPKEContext(
      suite: isX25519 ? .x25519ChaChaPoly : .p256AESGCM, sharedSecret: secret.exposedBytes, info: info.span)
    let envelope = header + enc + (try hpke.seal(plaintext.span, authenticating: Span()))
    var payload = Self.outer
    payload["ENCRYPTED_DATA"] = .string(Base64URL.encode(envelope.span))
    return payload
  }
}
