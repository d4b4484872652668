#if !canImport(CryptoKit)
  internal import COpenSSL

  /// AES-GCM from OpenSSL, with a key of 16, 24 or 32 bytes.
  ///
  /// ``AEAD`` has checked the lengths.
  enum OpenSSLAESGCM {
    /// Encrypts into memory that is 16 bytes longer, and may begin at the same address.
    @unsafe static func seal(
      _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into ciphertext: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      OpenSSL.keepingErrors {
        guard let cipher = unsafe cipher(for: key), let context = unsafe EVP_CIPHER_CTX_new() else {
          return false
        }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        return unsafe AEADPointers.with(text: plaintext, data: data, key: key, nonce: nonce) { input in
          var written: CInt = 0
          let tag = unsafe ciphertext + input.textCount
          return unsafe EVP_EncryptInit_ex(context, cipher, nil, input.key, input.nonce) == 1
            && EVP_EncryptUpdate(context, nil, &written, input.data, CInt(input.dataCount)) == 1
            && EVP_EncryptUpdate(context, ciphertext, &written, input.text, CInt(input.textCount)) == 1
            && EVP_EncryptFinal_ex(context, tag, &written) == 1
            && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(AEAD.tagSize), tag) == 1
        }
      }
    }

    /// Returns whether the tag is valid, or `nil` if OpenSSL does not provide the cipher.
    static func open(
      _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool? {
      OpenSSL.keepingErrors {
        guard let cipher = unsafe cipher(for: key), let context = unsafe EVP_CIPHER_CTX_new() else {
          return nil
        }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var tag = [UInt8](copying: ciphertext.extracting(last: AEAD.tagSize))
        let text = ciphertext.extracting(droppingLast: AEAD.tagSize)
        return unsafe plaintext.withPointer { output, _ in
          unsafe AEADPointers.with(text: text, data: data, key: key, nonce: nonce) { input in
            var written: CInt = 0
            let end = unsafe output + input.textCount
            guard unsafe EVP_DecryptInit_ex(context, cipher, nil, input.key, input.nonce) == 1 else {
              return nil
            }
            return unsafe EVP_DecryptUpdate(context, nil, &written, input.data, CInt(input.dataCount)) == 1
              && EVP_DecryptUpdate(context, output, &written, input.text, CInt(input.textCount)) == 1
              && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(AEAD.tagSize), &tag) == 1
              && EVP_DecryptFinal_ex(context, end, &written) == 1
          }
        }
      }
    }

    /// The cipher for a key; `nil` if OpenSSL does not provide it.
    @unsafe private static func cipher(for key: Span<UInt8>) -> OpaquePointer? {
      switch key.count {
      case 16: unsafe aes128
      case 24: unsafe aes192
      default: unsafe aes256
      }
    }

    // Fetched once: a lookup by name for each message would be slow.
    nonisolated(unsafe) private static let aes128 = unsafe fetch("AES-128-GCM")
    nonisolated(unsafe) private static let aes192 = unsafe fetch("AES-192-GCM")
    nonisolated(unsafe) private static let aes256 = unsafe fetch("AES-256-GCM")

    @unsafe private static func fetch(_ name: String) -> OpaquePointer? {
      guard OpenSSL.start() else { return nil }
      return unsafe EVP_CIPHER_fetch(nil, name, nil)
    }
  }

  /// AES in CBC and ECB mode, with padding, from OpenSSL.
  ///
  /// ``AESCBC`` and ``AESECB`` have checked the lengths.
  enum OpenSSLPaddedAES {
    static var isAvailable: Bool { true }

    /// Encrypts in CBC mode.
    static func encrypt(
      _ plaintext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
      into ciphertext: inout MutableSpan<UInt8>
    ) -> Bool {
      OpenSSL.keepingErrors {
        guard OpenSSL.start(), let context = unsafe EVP_CIPHER_CTX_new() else { return false }
        defer { unsafe EVP_CIPHER_CTX_free(context) }  // clears the key
        return unsafe ciphertext.withPointer { output, _ in
          unsafe pointers(text: plaintext, key: key, initializationVector: initializationVector) { input in
            var (written, last): (CInt, CInt) = (0, 0)
            return unsafe EVP_EncryptInit_ex(context, cbc(for: key), nil, input.key, input.nonce) == 1
              && EVP_EncryptUpdate(context, output, &written, input.text, CInt(input.textCount)) == 1
              && EVP_EncryptFinal_ex(context, output + Int(written), &last) == 1
          }
        }
      }
    }

    /// Decrypts in CBC mode, or in ECB mode if there is no initialization vector.
    ///
    /// Returns the length of the plaintext, or `nil` if the padding is wrong.
    static func decrypt(
      _ ciphertext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Int? {
      OpenSSL.keepingErrors {
        guard OpenSSL.start(), let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let cipher = unsafe initializationVector.isEmpty ? ecb(for: key) : cbc(for: key)
        return unsafe plaintext.withPointer { output, _ in
          unsafe pointers(text: ciphertext, key: key, initializationVector: initializationVector) { input in
            var (written, last): (CInt, CInt) = (0, 0)
            let isDecrypted =
              unsafe EVP_DecryptInit_ex(context, cipher, nil, input.key, input.nonce) == 1
              && EVP_DecryptUpdate(context, output, &written, input.text, CInt(input.textCount)) == 1
              && EVP_DecryptFinal_ex(context, output + Int(written), &last) == 1
            return isDecrypted ? Int(written + last) : nil
          }
        }
      }
    }

    private static func pointers<Result>(
      text: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
      body: (AEADPointers) -> Result
    ) -> Result {
      unsafe AEADPointers.with(text: text, data: Span(), key: key, nonce: initializationVector, body: body)
    }

    private static func cbc(for key: Span<UInt8>) -> OpaquePointer? {
      switch key.count {
      case 16: unsafe EVP_aes_128_cbc()
      case 24: unsafe EVP_aes_192_cbc()
      default: unsafe EVP_aes_256_cbc()
      }
    }

    private static func ecb(for key: Span<UInt8>) -> OpaquePointer? {
      switch key.count {
      case 16: unsafe EVP_aes_128_ecb()
      case 24: unsafe EVP_aes_192_ecb()
      default: unsafe EVP_aes_256_ecb()
      }
    }
  }
#endif
