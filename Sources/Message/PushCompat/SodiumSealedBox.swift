internal import PushCrypto
public import PushCore

/// Libsodium's sealed boxes (`crypto_box_seal`) in standard base64, in a member that the app names.
///
/// A box is 48 bytes longer than its plaintext. CryptoKit has no XSalsa20, so boxes are sealed and opened on Linux,
/// and on a Mac with the package's trait `Sodium`. A phone recognizes them; code for iOS that would open one does not
/// compile.
///
/// The format lacks:
/// - a sender: anyone who has the public key can write;
/// - replay protection and an expiry;
/// - an identifier of its key;
/// - a binding to the rest of the payload.
public struct SodiumSealedBox: EnvelopeFormat {
  /// `sodium-sealed-box`.
  public static let name = "sodium-sealed-box"

  /// The member's name unless the app chooses another.
  public static let defaultMember = "sealed_box"

  /// The longest plaintext that is sealed, in bytes.
  ///
  /// No payload has room for a longer one.
  public static let maximumPlaintextSize = EnvelopeText.maximumByteCount - SealedBox.overhead

  /// The public key, to seal with.
  public let recipient: SodiumRecipient

  private let privateKey: SharedSecret
  private let member: String

  /// Opens with an X25519 private key, 32 bytes; `nil` for any other length.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public init?(privateKey: Span<UInt8>, member: String = Self.defaultMember) {
    guard let publicKey = try? X25519.publicKey(of: privateKey),
      let recipient = SodiumRecipient(publicKey: publicKey.span)
    else { return nil }
    self.recipient = recipient
    self.privateKey = SharedSecret(Secret(copying: privateKey, in: .guarded))
    self.member = member
  }

  /// Opens with a private key in base64, which the caller wipes.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  package init?(privateKeyText: Span<UInt8>, member: String = Self.defaultMember) {
    guard var privateKey = StandardBase64.decode(privateKeyText) else { return nil }
    defer { privateKey.wipe() }
    self.init(privateKey: privateKey.span, member: member)
  }

  /// Whether `sealed_box` is base64 with room for a key and a tag.
  ///
  /// Under another name, a box cannot be told from other base64.
  public static func isRecognized(_ payload: JSONObject) -> Bool {
    (try? box(of: payload, member: defaultMember)) != nil
  }

  /// Whether the member that this value names is base64 with room for a key and a tag.
  public func recognizes(_ payload: JSONObject) -> Bool {
    (try? Self.box(of: payload, member: member)) != nil
  }

  static func inspect(_ payload: JSONObject) -> ForeignEnvelope? {
    guard let box = try? box(of: payload, member: defaultMember) else { return nil }
    return ForeignEnvelope(
      format: name, members: [defaultMember], ciphertextSize: box.count - X25519.keySize,
      details: ["ephemeralKey": ForeignEnvelope.hexadecimal(of: box.prefix(X25519.keySize))])
  }

  /// Opens the box, and returns its plaintext.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let box = try Self.box(of: payload, member: member)
    do throws(CryptoError) {
      let plaintext = try SealedBox.open(
        box.span, privateKey: privateKey.exposedBytes, publicKey: recipient.publicKey.span)
      return [UInt8](copying: plaintext.exposedBytes)
    } catch {
      throw .init(error)
    }
  }

  /// Seals a plaintext to a recipient, and returns the box in base64.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if the plaintext is longer than ``maximumPlaintextSize``,
  ///   `EnvelopeFormatError.unavailable`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public static func seal(
    _ plaintext: Span<UInt8>, to recipient: SodiumRecipient
  ) throws(EnvelopeFormatError) -> String {
    guard plaintext.count <= maximumPlaintextSize else { throw .tooLarge }
    guard let box = try? SealedBox.seal(plaintext, to: recipient.publicKey.span) else {
      throw .unavailable
    }
    return StandardBase64.text(of: box.span)
  }

  private static func box(of payload: JSONObject, member: String) throws(EnvelopeFormatError) -> [UInt8] {
    try EnvelopeText(member: member, of: payload).decoded(
      atLeast: SealedBox.overhead, by: StandardBase64.decode)
  }
}

/// The recipient of a sealed box: an X25519 public key.
public struct SodiumRecipient: Sendable, Equatable {
  /// The public key, 32 bytes.
  public let publicKey: [UInt8]

  /// Takes a public key; `nil` unless it has 32 bytes and is not of small order.
  ///
  /// Anyone could open a box for such a key.
  public init?(publicKey: Span<UInt8>) {
    guard (try? X25519.validate(publicKey: publicKey)) != nil else { return nil }
    self.publicKey = [UInt8](copying: publicKey)
  }

  /// Takes a public key in base64.
  package init?(publicKeyText: Span<UInt8>) {
    guard let publicKey = StandardBase64.decode(publicKeyText) else { return nil }
    self.init(publicKey: publicKey.span)
  }
}
