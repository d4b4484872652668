internal import PushCrypto
internal import PushReceiver

/// A nonce and a secret box behind it, in base64: what PyNaCl's `SecretBox` encrypts to.
struct SecretBoxText {
  /// What it has more than its plaintext, in bytes: nonce and tag.
  static let overhead = XSalsa20Poly1305.nonceSize + XSalsa20Poly1305.tagSize

  private let bytes: [UInt8]

  /// The length of the box behind the nonce, its tag included, in bytes.
  var boxSize: Int { bytes.count - XSalsa20Poly1305.nonceSize }

  /// Takes a member's text.
  ///
  /// - Throws: ``EnvelopeFormatError/malformed(member:)``.
  init(_ text: EnvelopeText) throws(EnvelopeFormatError) {
    bytes = try text.decoded(atLeast: Self.overhead, by: StandardBase64.decode)
  }

  /// The plaintext.
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

  /// The text for a plaintext, under a nonce of `random`.
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
      return String(decoding: StandardBase64.encode(box.span), as: UTF8.self)
    } catch {
      throw .init(error)
    }
  }
}
