/// A sealed message as it is sent: version, suite, the recipient's key ID, encapsulated key, and ciphertext with tag.
///
/// Decoding is strict, and encoding is its exact inverse (FORMAT.md, section 2).
public struct Envelope: Hashable, Sendable {
  /// The version of the format, in the first byte.
  public static let version: UInt8 = 1

  /// The length of version, suite and key ID, in bytes.
  public static let headerSize = 2 + KeyID.size

  /// The length of the AEAD tag, in bytes; no ciphertext is shorter.
  public static let tagSize = 16

  /// The longest text that is decoded, in characters.
  ///
  /// An APNs payload has at most 5120 bytes.
  public static let maximumTextSize = 8192

  /// The suite that encrypts the message.
  public let suite: Suite

  /// The ID of the recipient's key.
  public let keyID: KeyID

  /// The encapsulated key: HPKE's `enc`, or the salt and commitment of a shared key.
  ///
  /// The suite gives its length.
  public let encapsulatedKey: [UInt8]

  /// The ciphertext, with its 16-byte tag at the end.
  public let ciphertext: [UInt8]

  /// Makes an envelope from its parts.
  ///
  /// - Throws: ``EnvelopeError/badEncapsulatedKey``, ``EnvelopeError/truncated``.
  public init(
    suite: Suite, keyID: KeyID, encapsulatedKey: [UInt8], ciphertext: [UInt8]
  ) throws(EnvelopeError) {
    guard suite.accepts(encapsulatedKey: encapsulatedKey.span) else { throw .badEncapsulatedKey }
    guard ciphertext.count >= Self.tagSize else { throw .truncated }
    self.suite = suite
    self.keyID = keyID
    self.encapsulatedKey = encapsulatedKey
    self.ciphertext = ciphertext
  }

  /// Whether `text` can only be an envelope of this format, valid or not: base64url that starts with the version, or a
  /// text longer than ``maximumTextSize``.
  ///
  /// Such a text is never treated as another system's envelope.
  package static func isRecognized(_ text: String) -> Bool {
    guard text.utf8.count <= maximumTextSize else { return true }
    return (try? Base64URL.decode(text))?.first == version
  }

  /// Reads an envelope's text.
  ///
  /// - Throws: ``EnvelopeError``.
  public init(decoding text: String) throws(EnvelopeError) {
    guard text.utf8.count <= Self.maximumTextSize else { throw .tooLarge }
    let bytes: [UInt8]
    do throws(Base64URLError) {
      bytes = try Base64URL.decode(text)
    } catch {
      throw .notBase64URL(error)
    }
    try self.init(decoding: bytes.span)
  }

  /// Reads an envelope's bytes.
  ///
  /// - Throws: ``EnvelopeError``.
  init(decoding bytes: Span<UInt8>) throws(EnvelopeError) {
    var reader = ByteReader(bytes)
    guard let version = reader.readByte() else { throw .truncated }
    guard version == Self.version else { throw .unsupportedVersion(version) }
    guard let suiteByte = reader.readByte() else { throw .truncated }
    guard let suite = Suite(rawValue: suiteByte) else { throw .unsupportedSuite(suiteByte) }
    guard let keyID = reader.read(KeyID.size).flatMap(KeyID.init),
      let encapsulatedKey = reader.read(suite.encapsulatedKeySize)
    else { throw .truncated }
    try self.init(
      suite: suite, keyID: keyID, encapsulatedKey: encapsulatedKey, ciphertext: reader.rest())
  }

  /// The envelope's bytes.
  public func encoded() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerSize + encapsulatedKey.count + ciphertext.count)
    bytes.append(Self.version)
    bytes.append(suite.rawValue)
    bytes += keyID.bytes
    bytes += encapsulatedKey
    bytes += ciphertext
    return bytes
  }

  /// The envelope's text: its bytes in base64url without padding.
  public var text: String { Base64URL.encode(encoded().span) }

  /// Appends the envelope's text to `output`.
  public func appendText(to output: inout [UInt8]) {
    let bytes = encoded()
    Base64URL.append(bytes.span, to: &output)
  }

  /// The length of the envelope's text, in characters.
  public var textSize: Int {
    Self.textSize(plaintextSize: ciphertext.count - Self.tagSize, suite: suite)
  }

  /// The length of an envelope's text for a plaintext of `plaintextSize` bytes, in characters.
  public static func textSize(plaintextSize: Int, suite: Suite) -> Int {
    Base64URL.encodedSize(of: headerSize + suite.encapsulatedKeySize + plaintextSize + tagSize)
  }

  /// The size of the largest plaintext whose envelope fits `textSize` characters, in bytes; not positive if none fits.
  public static func capacity(textSize: Int, suite: Suite) -> Int {
    3 * textSize / 4 - headerSize - suite.encapsulatedKeySize - tagSize
  }
}

/// Why a text is not an envelope that this version reads.
public enum EnvelopeError: Error, Equatable, Sendable {
  /// It is longer than 8192 characters.
  case tooLarge
  /// It is not canonical base64url.
  case notBase64URL(Base64URLError)
  /// It ends too early.
  case truncated
  /// Its first byte is not 1.
  case unsupportedVersion(UInt8)
  /// Its second byte is not a known suite.
  case unsupportedSuite(UInt8)
  /// The encapsulated key does not have the length or form that its suite requires.
  case badEncapsulatedKey
}
