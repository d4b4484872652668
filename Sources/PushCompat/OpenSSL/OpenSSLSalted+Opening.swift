internal import PushCrypto
internal import PushEnvelope
public import PushPayload
public import PushReceiver

extension OpenSSLSalted {
  /// The plaintext of the member's envelope.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` without the member; `notAuthentic` if the padding is wrong, which does
  ///   not happen with one wrong password in 256.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    guard let value = member.value(in: payload) else { throw .absent }
    guard let text = value.string else { throw .malformed(member: member.text) }
    return try open(text: text)
  }

  /// The plaintext of an envelope in base64, in lines or in one.
  ///
  /// - Throws: `EnvelopeFormatError`, as ``open(_:)`` does.
  public func open(text: String) throws(EnvelopeFormatError) -> [UInt8] {
    guard text.utf8.count <= Base64.maximumSize else { throw .tooLarge }
    guard let bytes = Base64.decode(text, wrapped: true) else { throw .malformed(member: member.text) }
    return try open(bytes: bytes.span)
  }

  /// The plaintext of an envelope as bytes, as `openssl enc` writes it without `-a`.
  ///
  /// - Throws: `EnvelopeFormatError`, as ``open(_:)`` does.
  public func open(bytes: Span<UInt8>) throws(EnvelopeFormatError) -> [UInt8] {
    guard bytes.count <= Base64.maximumByteCount else { throw .tooLarge }
    guard SaltedLayout.isKept(by: bytes) else { throw .malformed(member: member.text) }
    do throws(CryptoError) {
      return try decrypt(bytes)
    } catch {
      throw EnvelopeFormatError(error)
    }
  }

  private func decrypt(_ bytes: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let password = self.password
    let salt = bytes.extracting(SaltedLayout.salt)
    let derived = SharedSecret(try derivation.key(of: password.exposedBytes, salt: salt))
    let ciphertext = bytes.extracting(droppingFirst: SaltedLayout.salt.upperBound)
    let plaintext = try AESCBC.decrypt(
      ciphertext, key: derived.exposedBytes.extracting(first: 32),
      initializationVector: derived.exposedBytes.extracting(droppingFirst: 32))
    return [UInt8](copying: plaintext.exposedBytes)
  }
}
