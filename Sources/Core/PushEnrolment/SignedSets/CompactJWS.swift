internal import PushKeys
internal import PushCrypto
internal import PushCore

/// A JWS in its compact form (RFC 7515, 7.1) with an Ed25519 signature (RFC 8037): FORMAT.md, section 11.
struct CompactJWS {
  /// The maximum size, in bytes: 64 KiB.
  static let maximumSize = 1 << 16

  /// The protected header.
  ///
  /// It is only checked to be an object.
  let header: JSONObject

  /// The signed payload.
  let payload: [UInt8]

  private let signature: [UInt8]
  private let signingInput: [UInt8]

  /// Parses the compact form: [11.1], [11.2] and the first part of [11.3].
  ///
  /// - Throws: ``SignedSetError/tooLarge``, ``SignedSetError/malformedJWS``, ``SignedSetError/malformedHeader``.
  init(parsing text: Span<UInt8>) throws(SignedSetError) {
    guard text.count <= Self.maximumSize else { throw .tooLarge }
    let periods = text.indices.filter { text[$0] == UInt8(ascii: ".") }
    guard periods.count == 2 else { throw .malformedJWS }
    let header = try Self.decode(text.extracting(..<periods[0]))
    payload = try Self.decode(text.extracting(periods[0] + 1..<periods[1]))
    signature = try Self.decode(text.extracting((periods[1] + 1)...))
    signingInput = text.indices.prefix(periods[1]).map { text[$0] }
    guard let header = try? JSONObject(parsing: header.span) else { throw .malformedHeader }
    self.header = header
  }

  /// Whether the signature is valid for the key: [11.5].
  func isSigned(by key: PublicKey) -> Bool {
    let point = key.bytes
    return key.algorithm == .ed25519
      && Ed25519.isValid(signature.span, on: signingInput.span, publicKey: point.span)
  }

  /// Signs a payload, and returns the compact form.
  static func sign(_ payload: JSONObject, header: JSONObject, with key: SigningKey) -> String {
    let input = [header, payload].map { part in
      let bytes = part.encoded()
      return Base64URL.encode(bytes.span)
    }.joined(separator: ".")
    let bytes = Array(input.utf8)
    let signature = key.sign(bytes.span)
    return "\(input).\(Base64URL.encode(signature.span))"
  }

  private static func decode(_ part: Span<UInt8>) throws(SignedSetError) -> [UInt8] {
    guard !part.isEmpty, let bytes = try? Base64URL.decode(part) else { throw .malformedJWS }
    return bytes
  }
}
