/// A sealed message as it travels: version, suite, recipient key id, encapsulated key, ciphertext with its tag.
///
/// FORMAT.md, section 2. Decoding is strict and encoding its exact inverse.
public struct Envelope: Hashable, Sendable {
  /// The format's version, the first byte.
  public static let version: UInt8 = 1

  /// The length of version, suite and key id, in bytes.
  public static let headerSize = 2 + KeyID.size

  /// The length of an AEAD tag, in bytes: the shortest ciphertext.
  public static let tagSize = 16

  /// The longest text that is looked at, in characters.
  ///
  /// APNs carries at most 5120 bytes in all.
  public static let maximumTextSize = 8192

  /// How the message is encrypted.
  public let suite: Suite

  /// Which of the recipient's keys opens it.
  public let keyID: KeyID

  /// HPKE's `enc`, or a shared key's salt and commitment, of the suite's length.
  public let encapsulatedKey: [UInt8]

  /// The ciphertext, its 16-byte tag at the end.
  public let ciphertext: [UInt8]

  /// Puts an envelope together.
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
    try self.init(decoding: bytes)
  }

  /// Reads an envelope's bytes.
  ///
  /// - Throws: ``EnvelopeError``.
  init(decoding bytes: [UInt8]) throws(EnvelopeError) {
    var reader = ByteReader(bytes)
    guard let version = reader.readByte() else { throw .truncated }
    guard version == Self.version else { throw .unsupportedVersion(version) }
    guard let suiteByte = reader.readByte() else { throw .truncated }
    guard let suite = Suite(rawValue: suiteByte) else { throw .unsupportedSuite(suiteByte) }
    guard let keyID = reader.read(KeyID.size).flatMap(KeyID.init),
      let encapsulatedKey = reader.read(suite.encapsulatedKeySize)
    else { throw .truncated }
    try self.init(
      suite: suite, keyID: keyID, encapsulatedKey: encapsulatedKey, ciphertext: reader.readRest())
  }

  /// The envelope's bytes.
  public func encoded() -> [UInt8] {
    [Self.version, suite.rawValue] + keyID.bytes + encapsulatedKey + ciphertext
  }

  /// The envelope's text: its bytes in base64url without padding.
  public var text: String { Base64URL.encode(encoded().span) }

  /// Appends the envelope's text to `output`.
  public func appendText(to output: inout [UInt8]) {
    let bytes = encoded()
    Base64URL.append(bytes.span, to: &output)
  }

  /// The length of the envelope's text.
  public var textSize: Int {
    Self.textSize(plaintextSize: ciphertext.count - Self.tagSize, suite: suite)
  }

  /// The length of the text of an envelope with a plaintext of `plaintextSize` bytes.
  public static func textSize(plaintextSize: Int, suite: Suite) -> Int {
    Base64URL.encodedSize(of: headerSize + suite.encapsulatedKeySize + plaintextSize + tagSize)
  }

  /// The length of the longest plaintext whose envelope has at most `textSize` characters; 0 or less: none has.
  public static func capacity(textSize: Int, suite: Suite) -> Int {
    3 * textSize / 4 - headerSize - suite.encapsulatedKeySize - tagSize
  }
}
