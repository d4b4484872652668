internal import PushCrypto
public import PushPayload
public import PushReceiver

extension Bark {
  /// The plaintext of `ciphertext`.
  ///
  /// - Throws: `EnvelopeFormatError`: `absent` without `ciphertext`; `notAuthentic` if GCM's tag or the other modes'
  ///   padding is wrong, the latter of which does not happen with one wrong key in 256.
  public func open(_ payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    guard let value = payload["ciphertext"] else { throw .absent }
    guard let text = value.string else { throw .malformed(member: "ciphertext") }
    guard text.utf8.count <= Base64.maximumSize else { throw .tooLarge }
    guard let ciphertext = Base64.decode(text), isPossible(ciphertext.count) else {
      throw .malformed(member: "ciphertext")
    }
    // ECB mode has no vector, whatever the payload says.
    return try open(ciphertext, mode == .ecb ? [] : try vector(of: payload))
  }

  private func open(_ ciphertext: [UInt8], _ vector: [UInt8]) throws(EnvelopeFormatError) -> [UInt8] {
    do throws(CryptoError) {
      return switch mode {
      case .cbc: try openCBC(ciphertext.span, vector.span)
      case .gcm: try openGCM(ciphertext.span, vector.span)
      case .ecb: try openECB(ciphertext.span)
      }
    } catch {
      throw EnvelopeFormatError(error)
    }
  }

  /// The payload's initialization vector, or else the one that was kept.
  private func vector(of payload: JSONObject) throws(EnvelopeFormatError) -> [UInt8] {
    let vector =
      if let value = payload["iv"] { value.string.map { Array($0.utf8) } } else { initializationVector }
    guard let vector, vector.count == mode.vectorSize else { throw .malformed(member: "iv") }
    return vector
  }

  /// Whether a ciphertext can have `count` bytes.
  private func isPossible(_ count: Int) -> Bool {
    switch mode {
    case .cbc, .ecb: count > 0 && count.isMultiple(of: AESCBC.blockSize)
    case .gcm: count >= AEAD.tagSize
    }
  }

  private func openCBC(_ ciphertext: Span<UInt8>, _ vector: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let key = self.key
    let plaintext = try AESCBC.decrypt(ciphertext, key: key.exposedBytes, initializationVector: vector)
    return [UInt8](copying: plaintext.exposedBytes)
  }

  private func openGCM(_ ciphertext: Span<UInt8>, _ vector: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let key = self.key
    let plaintext = try Self.gcm(keySize: key.exposedBytes.count)
      .open(ciphertext, authenticating: Span(), key: key.exposedBytes, nonce: vector)
    return [UInt8](copying: plaintext.exposedBytes)
  }

  private func openECB(_ ciphertext: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let key = self.key
    let plaintext = try AESECB.decrypt(ciphertext, key: key.exposedBytes)
    return [UInt8](copying: plaintext.exposedBytes)
  }

  private static func gcm(keySize: Int) -> AEAD {
    switch keySize {
    case 16: .aes128GCM
    case 24: .aes192GCM
    default: .aes256GCM
    }
  }
}
