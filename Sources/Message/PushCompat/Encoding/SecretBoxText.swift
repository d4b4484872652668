internal import PushCrypto
internal import PushCore

/// A nonce followed by a secret box, in base64, as PyNaCl's `SecretBox` encrypts.
struct SecretBoxText {
  /// The length of the nonce and the tag together, in bytes.
  static let overhead = XSalsa20Poly1305.nonceSize + XSalsa20Poly1305.tagSize

  private let bytes: [UInt8]

  /// The length of the box without the nonce but with its tag, in bytes.
  var boxSize: Int { bytes.count - XSalsa20Poly1305.nonceSize }

  /// Takes the box from a member at a payload's top level.
  ///
  /// - Throws: `EnvelopeFormatError.absent`, `EnvelopeFormatError.malformed(member:)`, `EnvelopeFormatError.tooLarge`.
  init(member: String, of payload: JSONObject) throws(EnvelopeFormatError) {
    bytes = try EnvelopeText(member: member, of: payload).decoded(
      atLeast: Self.overhead, by: StandardBase64.decode)
  }

  /// Opens the box, and returns the plaintext.
  ///
  /// - Throws: `EnvelopeFormatError.notAuthentic`, `EnvelopeFormatError.unavailable`.
  func open(key: Span<UInt8>) throws(EnvelopeFormatError) -> [UInt8] {
    let nonce = bytes.span.extracting(0..<XSalsa20Poly1305.nonceSize)
    let box = bytes.span.extracting(XSalsa20Poly1305.nonceSize..<bytes.count)
    do throws(CryptoError) {
      let plaintext = try XSalsa20Poly1305.open(box, key: key, nonce: nonce)
      return [UInt8](copying: plaintext.exposedBytes)
    } catch {
      throw .init(error)
    }
  }

  /// Seals a plaintext under a nonce from `random`, and returns the text.
  ///
  /// - Throws: `EnvelopeFormatError.unavailable`.
  static func seal(
    _ plaintext: Span<UInt8>, key: Span<UInt8>, random: some RandomSource
  ) throws(EnvelopeFormatError) -> String {
    var nonce = [UInt8](repeating: 0, count: XSalsa20Poly1305.nonceSize)
    var bytes = nonce.mutableSpan
    random.fill(&bytes)
    do throws(CryptoError) {
      let box = nonce + (try XSalsa20Poly1305.seal(plaintext, key: key, nonce: nonce.span))
      return StandardBase64.text(of: box.span)
    } catch {
      throw .init(error)
    }
  }
}
