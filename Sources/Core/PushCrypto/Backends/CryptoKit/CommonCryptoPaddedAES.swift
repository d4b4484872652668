#if canImport(CryptoKit)
  #if canImport(CommonCrypto)
    internal import CommonCrypto

    /// AES in CBC and ECB mode from CommonCrypto; PKCS#7 padding is added and checked here.
    ///
    /// ``AESCBC`` and ``AESECB`` have checked the lengths. Without an initialization vector, the mode is ECB.
    enum CommonCryptoPaddedAES {
      static var isAvailable: Bool { true }

      static func encrypt(
        _ plaintext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
        into ciphertext: inout MutableSpan<UInt8>
      ) -> Bool {
        let padding = UInt8(ciphertext.count - plaintext.count)
        let padded = Secret(count: ciphertext.count) { padded in
          for index in padded.indices {
            padded[index] = index < plaintext.count ? plaintext[index] : padding
          }
        }
        return crypt(kCCEncrypt, padded.exposedBytes, key, initializationVector, into: &ciphertext)
      }

      /// Returns the length of the plaintext, or `nil` if the padding is wrong.
      static func decrypt(
        _ ciphertext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
        into plaintext: inout MutableSpan<UInt8>
      ) -> Int? {
        let size = ciphertext.count
        guard crypt(kCCDecrypt, ciphertext, key, initializationVector, into: &plaintext) else { return nil }
        let padding = Int(plaintext[size - 1])
        guard (1...AESCBC.blockSize).contains(padding),
          (size - padding..<size).allSatisfy({ plaintext[$0] == UInt8(padding) })
        else { return nil }
        return size - padding
      }

      /// Encrypts or decrypts whole blocks into the same number of blocks.
      private static func crypt(
        _ operation: Int, _ text: Span<UInt8>, _ key: Span<UInt8>, _ vector: Span<UInt8>,
        into result: inout MutableSpan<UInt8>
      ) -> Bool {
        let keySize = key.count
        let options = vector.isEmpty ? CCOptions(kCCOptionECBMode) : 0
        return unsafe result.withPointer { output, count in
          unsafe AEADPointers.with(text: text, data: Span(), key: key, nonce: vector) { input in
            var written = 0
            let status = unsafe CCCrypt(
              CCOperation(operation), CCAlgorithm(kCCAlgorithmAES), options, input.key, keySize, input.nonce,
              input.text, input.textCount, output, count, &written)
            return unsafe Int(status) == kCCSuccess && written == input.textCount
          }
        }
      }
    }
  #else
    /// AES in CBC and ECB mode, which CryptoKit does not implement.
    enum CommonCryptoPaddedAES {
      static var isAvailable: Bool { false }

      static func encrypt(
        _ plaintext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
        into ciphertext: inout MutableSpan<UInt8>
      ) -> Bool { false }

      static func decrypt(
        _ ciphertext: Span<UInt8>, key: Span<UInt8>, initializationVector: Span<UInt8>,
        into plaintext: inout MutableSpan<UInt8>
      ) -> Int? { nil }
    }
  #endif
#endif
