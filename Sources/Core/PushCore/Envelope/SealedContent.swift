/// The plaintext of a message: claims, an optional signature, the content, and padding.
///
/// The content is an APNs payload in JSON, which this type does not interpret (FORMAT.md, section 5).
package struct SealedContent: Equatable, Sendable {
  /// A signature and the ID of the key that made it.
  package struct Signature: Equatable, Sendable {
    /// The length, in bytes.
    package static let size = 64

    /// The ID of the sender's key.
    package let keyID: KeyID

    /// The Ed25519 signature, 64 bytes.
    package let bytes: [UInt8]

    /// Takes a signature; nil unless it has 64 bytes.
    package init?(keyID: KeyID, bytes: [UInt8]) {
      guard bytes.count == Self.size else { return nil }
      self.keyID = keyID
      self.bytes = bytes
    }
  }

  /// The type that a receiver must expect to open the message.
  package let type: ContentType
  /// The message's ID, time and lifetime.
  package let claims: Claims
  /// The sender's signature; nil in an anonymous message.
  package let signature: Signature?
  /// The content, in bytes.
  package let content: [UInt8]

  /// Makes content without a signature; ``signed(by:)`` adds one.
  package init(type: ContentType, claims: Claims, content: [UInt8]) {
    self.init(type: type, claims: claims, signature: nil, content: content)
  }

  /// Returns the same content with a signature.
  package func signed(by signature: Signature) -> SealedContent {
    SealedContent(type: type, claims: claims, signature: signature, content: content)
  }

  /// The bytes that a signature by this key covers:
  /// "sealed-push v1 signature" 0x00 | info | the plaintext before the signature | content.
  package func signatureInput(for binding: MessageBinding, signer: KeyID) -> [UInt8] {
    var input: [UInt8] = []
    input.reserveCapacity(
      Self.signatureLabel.count + binding.infoSize + Self.headSize(isSigned: true) + content.count)
    input += Self.signatureLabel
    binding.append(to: &input)
    appendHead(signer: signer, to: &input)
    input += content
    return input
  }

  /// The plaintext: content type and flags (1) | message ID (16) | issued at (8) | lifetime (4) |
  /// if signed: sender key ID (8) | signature (64) | content | 0x80 | zeros, to `size` bytes in all.
  ///
  /// `size` is at least ``minimumSize``.
  package func encoded(paddedTo size: Int) -> [UInt8] {
    var plaintext: [UInt8] = []
    plaintext.reserveCapacity(size)
    append(paddedTo: size, to: &plaintext)
    return plaintext
  }

  /// An envelope's bytes before sealing: the plaintext, with zeros in place of everything before it and of the tag.
  package func unsealed(paddedTo size: Int, for suite: Suite) -> [UInt8] {
    let start = Envelope.ciphertextStart(for: suite)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(start + size + Envelope.tagSize)
    bytes += repeatElement(0, count: start)
    append(paddedTo: size, to: &bytes)
    bytes += repeatElement(0, count: Envelope.tagSize)
    return bytes
  }

  private func append(paddedTo size: Int, to bytes: inout [UInt8]) {
    precondition(size >= minimumSize, "no room for the content and its marker")
    let start = bytes.count
    appendHead(signer: signature?.keyID, to: &bytes)
    if let signature { bytes += signature.bytes }
    bytes += content
    bytes.append(Padding.marker)
    bytes += repeatElement(0, count: start + size - bytes.count)
  }

  /// The length of the plaintext with one byte of padding, in bytes: the shortest encoding.
  package var minimumSize: Int { Self.overhead(isSigned: signature != nil) + content.count }

  /// The length of a plaintext without its content but with one byte of padding: 30 or, if signed, 102 bytes.
  package static func overhead(isSigned: Bool) -> Int {
    headSize(isSigned: isSigned) + (isSigned ? Signature.size : 0) + 1
  }

  /// Reads a plaintext.
  ///
  /// - Throws: ``SealedContentError``.
  package init(decoding plaintext: Span<UInt8>) throws(SealedContentError) {
    var reader = ByteReader(try Padding.removed(from: plaintext))
    guard let first = reader.readByte() else { throw .truncated }
    guard let type = ContentType(rawValue: first >> 4) else { throw .unknownType(first >> 4) }
    let flags = first & 0x0f
    guard flags & ~Self.signedFlag == 0 else { throw .reservedFlags }
    let claims = try Self.readClaims(from: &reader)
    let signature = flags == Self.signedFlag ? try Self.readSignature(from: &reader) : nil
    self.init(type: type, claims: claims, signature: signature, content: reader.rest())
  }

  private init(type: ContentType, claims: Claims, signature: Signature?, content: [UInt8]) {
    self.type = type
    self.claims = claims
    self.signature = signature
    self.content = content
  }

  private static let signatureLabel = Array("sealed-push v1 signature\0".utf8)
  private static let signedFlag: UInt8 = 0x01
  private static let timeSize = 8
  private static let lifetimeSize = 4

  /// Appends the plaintext before the signature.
  private func appendHead(signer: KeyID?, to bytes: inout [UInt8]) {
    bytes.append(type.rawValue << 4 | (signer == nil ? 0 : Self.signedFlag))
    claims.messageID.append(to: &bytes)
    bytes.append(bigEndian: UInt64(claims.issuedAt.seconds), count: Self.timeSize)
    bytes.append(bigEndian: UInt64(claims.lifetime.seconds), count: Self.lifetimeSize)
    signer?.append(to: &bytes)
  }

  /// The length of the plaintext before the signature, in bytes.
  private static func headSize(isSigned: Bool) -> Int {
    1 + MessageID.size + timeSize + lifetimeSize + (isSigned ? KeyID.size : 0)
  }

  private static func readClaims(from reader: inout ByteReader) throws(SealedContentError) -> Claims {
    guard let high = reader.readInteger(count: 8), let low = reader.readInteger(count: 8),
      let seconds = reader.readInteger(count: timeSize),
      let duration = reader.readInteger(count: lifetimeSize)
    else { throw .truncated }
    guard let issuedAt = UnixTime(seconds: Int64(clamping: seconds)) else { throw .timeOutOfRange }
    guard let lifetime = Lifetime(seconds: Int64(duration)) else { throw .lifetimeOutOfRange }
    return Claims(messageID: MessageID(high: high, low: low), issuedAt: issuedAt, lifetime: lifetime)
  }

  private static func readSignature(from reader: inout ByteReader) throws(SealedContentError) -> Signature {
    guard let keyID = reader.readInteger(count: KeyID.size).map(KeyID.init(number:)),
      let signature = reader.read(count: Signature.size).flatMap({ Signature(keyID: keyID, bytes: $0) })
    else { throw .truncated }
    return signature
  }
}

/// Why a plaintext is not valid content.
///
/// The content was authentic, so the error is a bug in a sealer that has the recipient's key.
package enum SealedContentError: Error, Equatable, Sendable {
  /// It ends too early.
  case truncated
  /// The content type is unknown.
  case unknownType(UInt8)
  /// A reserved flag is set.
  case reservedFlags
  /// The time of issue is 2^53 or later.
  case timeOutOfRange
  /// The lifetime is longer than 30 days.
  case lifetimeOutOfRange
  /// The padding is not 0x80 followed by zeros.
  case badPadding
}

extension SealedContentError: CustomStringConvertible {
  /// What is wrong with the content.
  package var description: String {
    switch self {
    case .truncated: "the sealed content is truncated"
    case .unknownType(let type): "the sealed content has the type \(type), which is unknown"
    case .reservedFlags: "the sealed content has a reserved flag"
    case .timeOutOfRange: "the sealed content's time of issue is 2^53 or later"
    case .lifetimeOutOfRange: "the sealed content's lifetime is longer than 30 days"
    case .badPadding: "the sealed content's padding is not 0x80 followed by zeros"
    }
  }
}
