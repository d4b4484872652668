@testable import PushCrypto
import PushEnvelope
import PushKeys
import PushPayload
import PushTesting

/// Makes payloads step by step, so that a vector can have one fault at any step.
struct Forge {
  static let topic = "com.example.app"
  static let outer: JSONObject = [
    "aps": [
      "alert": ["title": "New notification", "body": "(Encrypted)"], "mutable-content": 1,
      "sound": "default",
    ]
  ]
  static let issuedAt: UInt64 = 1_795_000_000

  /// What randomness follows from.
  let label: String
  /// What the message id follows from.
  var identity: String
  /// The ephemeral key's seed, or a shared key's salt.
  var randomness: [UInt8]
  var recipient: Recipient
  var signer: SigningKey?
  var topic = Forge.topic
  /// The content type and flags; null: what they should be.
  var firstByte: UInt8?
  var issuedAt = Forge.issuedAt
  var lifetime: UInt32 = 2_592_000
  var content = Array(#"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#.utf8)
  var padding: [UInt8] = [0x80, 0, 0, 0]
  /// What the signature is for, if it is not for this message.
  var signedBinding: MessageBinding?
  var changeSignature: ([UInt8]) -> [UInt8] = { $0 }
  var changePlaintext: ([UInt8]) -> [UInt8] = { $0 }
  var changeEnvelope: ([UInt8]) -> [UInt8] = { $0 }
  var changeText: (String) -> String = { $0 }
  var aad: [UInt8] = []

  init(_ label: String, to recipient: Recipient, from signer: SigningKey?) {
    self.label = label
    identity = label
    randomness = FixedRandomness.bytes(of: label)
    self.recipient = recipient
    self.signer = signer
  }

  /// The outer payload.
  func payload() throws -> JSONObject {
    var payload = Self.outer
    payload["ENCRYPTED_DATA"] = .string(try text())
    return payload
  }

  /// The envelope's text.
  func text() throws -> String {
    let envelope = changeEnvelope(try envelope())
    return changeText(Base64URL.encode(envelope.span))
  }

  var messageID: [UInt8] {
    var bytes = Array(FixedRandomness.bytes(of: "message id \(identity)").prefix(MessageID.size))
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return bytes
  }

  func binding() throws -> MessageBinding {
    recipient.binding(for: try Topic(topic))
  }

  func plaintext() throws -> [UInt8] {
    let type = firstByte ?? (signer == nil ? 0x10 : 0x11)
    var head = [type] + messageID
    head += [UInt8](bigEndian: issuedAt, count: 8) + [UInt8](bigEndian: lifetime, count: 4)
    guard let signer else { return changePlaintext(head + content + padding) }
    head += signer.publicKey.thumbprint.keyID.bytes
    let input =
      Array("sealed-push v1 signature\0".utf8) + (try signedBinding ?? binding()).info + head + content
    return changePlaintext(head + changeSignature(signer.sign(input.span)) + content + padding)
  }

  /// The envelope's bytes, before they are changed.
  func envelope() throws -> [UInt8] {
    let plaintext = try plaintext()
    let random = FixedRandomness(randomness)
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
  func zeroSecretPayload(encapsulatedKey enc: [UInt8]) throws -> JSONObject {
    let info = try binding().info
    let plaintext = try plaintext()
    let kem = LabeledHKDF(suiteID: Array("KEM".utf8) + [0x00, 0x20])
    let zeros = [UInt8](repeating: 0, count: 32)
    let context = enc + (recipient.publicKey?.bytes ?? [])
    let prk = kem.extract(salt: Span(), "eae_prk", zeros.span)
    let secret = kem.expand(prk.exposedBytes, "shared_secret", context.span, 32)
    var hpke = HPKEContext(.x25519ChaChaPoly, sharedSecret: secret.exposedBytes, info: info.span)
    let envelope = header + enc + (try hpke.seal(plaintext.span, authenticating: Span()))
    var payload = Self.outer
    payload["ENCRYPTED_DATA"] = .string(Base64URL.encode(envelope.span))
    return payload
  }
}
