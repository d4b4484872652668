internal import PushCrypto
public import PushPayload
public import PushReceiver

/// Libsodium's sealed boxes (`crypto_box_seal`) in standard base64, in a member that the application names.
///
/// The format lacks: the sender (whoever has the public key can write), an expiry and protection from replay, a
/// key's id, and the binding of anything beside the plaintext. A box takes 48 bytes more than its plaintext.
/// CryptoKit has no XSalsa20, so boxes are sealed and open on Linux only.
public struct SodiumSealedBox: EnvelopeFormat {
  /// `sodium-sealed-box`.
  public static let name = "sodium-sealed-box"

  /// The member's name unless the application has another.
  public static let defaultMember = "sealed_box"

  /// The longest plaintext that is sealed, in bytes: no payload has room for a longer one.
  public static let maximumPlaintextSize = EnvelopeText.maximumSize / 4 * 3 - SealedBox.overhead

  /// The public key, for those who write.
  public let recipient: SodiumRecipient

  private let privateKey: SharedSecret
  private let member: String

  /// Opens with an X25519 private key, 32 bytes; null for one of another length.
  public init?(privateKey: Span<UInt8>, member: String = Self.defaultMember) {
    guard let publicKey = try? X25519.publicKey(of: privateKey),
      let recipient = SodiumRecipient(publicKey: publicKey.span)
    else { return nil }
    self.recipient = recipient
    self.privateKey = SharedSecret(Secret(copying: privateKey, in: .guarded))
    self.member = member
  }

  /// Opens with a private key in base64, which the caller wipes.
  package init?(privateKeyText: Span<UInt8>, member: String = Self.defaultMember) {
    guard var privateKey = StandardBase64.decode(privateKeyText) else { return nil }
    defer { privateKey.wipe() }
    self.init(privateKey: privateKey.span, member: member)
  }

  /// Whether `sealed_box` is base64 with room for a key and a tag; under another name, a box looks like anything.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    (try? box(of: payload, defaultMember)) != nil
  }

  /// Whether its member is base64 with room for a key and a tag.
  public func recognizes(_ payload: JSONObject) -> Bool { (try? Self.box(of: payload, member)) != nil }

  /// The box's plaintext.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let box = try Self.box(of: payload, member)
    do throws(CryptoError) {
      let plaintext = try SealedBox.open(
        box.span, privateKey: privateKey.exposedBytes, publicKey: recipient.publicKey.span)
      return [UInt8](copying: plaintext.exposedBytes)
    } catch {
      throw .init(error)
    }
  }

  /// The text of a box for a recipient.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if the plaintext is longer than ``maximumPlaintextSize``,
  ///   `EnvelopeFormatError.unavailable`.
  public static func seal(
    _ plaintext: Span<UInt8>, to recipient: SodiumRecipient
  ) throws(EnvelopeFormatError) -> String {
    guard plaintext.count <= maximumPlaintextSize else { throw .tooLarge }
    guard let box = try? SealedBox.seal(plaintext, to: recipient.publicKey.span) else {
      throw .unavailable
    }
    return String(decoding: StandardBase64.encode(box.span), as: UTF8.self)
  }

  static func box(
    of payload: JSONObject, _ member: String
  ) throws(EnvelopeFormatError) -> [UInt8] {
    try EnvelopeText(member, of: payload).decoded(
      atLeast: SealedBox.overhead, by: StandardBase64.decode)
  }
}
