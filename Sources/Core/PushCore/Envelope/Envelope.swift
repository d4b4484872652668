/// A sealed message as it is sent: version, suite, the recipient's key ID, encapsulated key, and ciphertext with tag.
///
/// Decoding is strict, and encoding is its exact inverse (FORMAT.md, section 2).
package struct Envelope: Hashable, Sendable {
  /// The version of the format, in the first byte.
  package static let version: UInt8 = 1

  /// The length of version, suite and key ID, in bytes.
  package static let headerSize = 2 + KeyID.size

  /// The length of the AEAD tag, in bytes; no ciphertext is shorter.
  package static let tagSize = 16

  /// The longest text that is decoded, in characters.
  ///
  /// An APNs payload has at most 5120 bytes.
  package static let maximumTextSize = 8192

  /// The suite that encrypts the message.
  package let suite: Suite

  /// The ID of the recipient's key.
  package let keyID: KeyID

  /// The whole envelope: version, suite, key ID, encapsulated key, ciphertext.
  private let bytes: [UInt8]

  /// The bytes of ``encapsulatedKey``.
  package var encapsulatedKeySpan: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.span.extracting(Self.headerSize..<Self.ciphertextStart(for: suite)) }
  }

  /// The bytes of ``ciphertext``.
  package var ciphertextSpan: Span<UInt8> {
    @_lifetime(borrow self)
    get { bytes.span.extracting(Self.ciphertextStart(for: suite)..<bytes.count) }
  }

  /// The encapsulated key: HPKE's `enc`, or the salt and commitment of a shared key.
  ///
  /// The suite gives its length.
  package var encapsulatedKey: [UInt8] { Array(bytes[Self.headerSize..<Self.ciphertextStart(for: suite)]) }

  /// The ciphertext, with its 16-byte tag at the end.
  package var ciphertext: [UInt8] { Array(bytes[Self.ciphertextStart(for: suite)...]) }

  /// Makes an envelope from its parts.
  ///
  /// - Throws: ``EnvelopeError/badEncapsulatedKey``, ``EnvelopeError/truncated``.
  package init(
    suite: Suite, keyID: KeyID, encapsulatedKey: [UInt8], ciphertext: [UInt8]
  ) throws(EnvelopeError) {
    guard encapsulatedKey.count == suite.encapsulatedKeySize else { throw .badEncapsulatedKey }
    var bytes = [UInt8](repeating: 0, count: Self.ciphertextStart(for: suite))
    Self.writeHead(suite: suite, keyID: keyID, encapsulatedKey: encapsulatedKey, to: &bytes)
    try self.init(suite: suite, keyID: keyID, bytes: bytes + ciphertext)
  }

  /// Completes bytes that have the ciphertext in its place: writes the header and the encapsulated key before it.
  ///
  /// The array is empty afterwards.
  package init(suite: Suite, keyID: KeyID, encapsulatedKey: [UInt8], taking bytes: inout [UInt8]) {
    Self.writeHead(suite: suite, keyID: keyID, encapsulatedKey: encapsulatedKey, to: &bytes)
    guard let envelope = try? Envelope(suite: suite, keyID: keyID, bytes: bytes) else {
      preconditionFailure("the encapsulated key or the ciphertext does not fit the suite")
    }
    self = envelope
    bytes = []
  }

  /// Checks the encapsulated key and the ciphertext's length; the header is already known to be right.
  private init(suite: Suite, keyID: KeyID, bytes: [UInt8]) throws(EnvelopeError) {
    let start = Self.ciphertextStart(for: suite)
    guard suite.accepts(encapsulatedKey: bytes.span.extracting(Self.headerSize..<start)) else {
      throw .badEncapsulatedKey
    }
    guard bytes.count - start >= Self.tagSize else { throw .truncated }
    self.suite = suite
    self.keyID = keyID
    self.bytes = bytes
  }

  /// The offset of the ciphertext in an envelope of this suite, in bytes.
  package static func ciphertextStart(for suite: Suite) -> Int { headerSize + suite.encapsulatedKeySize }

  /// Writes the header and the encapsulated key before the ciphertext.
  private static func writeHead(
    suite: Suite, keyID: KeyID, encapsulatedKey: [UInt8], to bytes: inout [UInt8]
  ) {
    bytes[0] = version
    bytes[1] = suite.rawValue
    keyID.write(to: &bytes, at: 2)
    for index in encapsulatedKey.indices { bytes[headerSize + index] = encapsulatedKey[index] }
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
  package init(decoding text: String) throws(EnvelopeError) {
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
    var reader = ByteReader(bytes.span)
    guard let version = reader.readByte() else { throw .truncated }
    guard version == Self.version else { throw .unsupportedVersion(version) }
    guard let suiteByte = reader.readByte() else { throw .truncated }
    guard let suite = Suite(rawValue: suiteByte) else { throw .unsupportedSuite(suiteByte) }
    guard let keyID = reader.readInteger(count: KeyID.size), bytes.count >= Self.ciphertextStart(for: suite)
    else {
      throw .truncated
    }
    try self.init(suite: suite, keyID: KeyID(number: keyID), bytes: bytes)
  }

  /// The envelope's bytes.
  package func encoded() -> [UInt8] { bytes }

  /// The envelope's text: its bytes in base64url without padding.
  package var text: String { Base64URL.encode(bytes.span) }

  /// Appends the envelope's text to `output`.
  package func appendText(to output: inout [UInt8]) { Base64URL.append(bytes.span, to: &output) }

  /// The length of the envelope's text, in characters.
  package var textSize: Int { Base64URL.encodedSize(of: bytes.count) }

  /// The length of an envelope's text for a plaintext of `plaintextSize` bytes, in characters.
  package static func textSize(plaintextSize: Int, suite: Suite) -> Int {
    Base64URL.encodedSize(of: headerSize + suite.encapsulatedKeySize + plaintextSize + tagSize)
  }

  /// The size in bytes of the largest plaintext whose envelope fits `textSize` characters; negative if none fits.
  package static func capacity(textSize: Int, suite: Suite) -> Int {
    3 * textSize / 4 - headerSize - suite.encapsulatedKeySize - tagSize
  }
}

/// Why a text is not an envelope that this version reads.
package enum EnvelopeError: Error, Equatable, Sendable {
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

extension EnvelopeError: CustomStringConvertible {
  /// What is wrong with the envelope, and at which byte.
  package var description: String { "the envelope cannot be read: \(reason)" }

  /// What is wrong, as a clause in which "it" is the envelope.
  package var reason: String {
    switch self {
    case .tooLarge: "it is longer than \(Envelope.maximumTextSize) characters"
    case .notBase64URL(let error): "it is not base64url: \(error)"
    case .truncated: "it is truncated"
    case .unsupportedVersion(let version):
      "its version is \(version), and only \(Envelope.version) is supported"
    case .unsupportedSuite(let suite): "its suite is \(suite), which is unknown"
    case .badEncapsulatedKey: "its encapsulated key is malformed"
    }
  }
}
