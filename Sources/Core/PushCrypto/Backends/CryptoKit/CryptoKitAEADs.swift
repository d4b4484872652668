#if canImport(CryptoKit)
  internal import CryptoKit

  /// ChaCha20-Poly1305 from CryptoKit.
  ///
  /// ``AEAD`` has checked the lengths.
  enum CryptoKitChaChaPoly {
    /// Encrypts into memory that is 16 bytes longer, and may begin at the same address.
    @unsafe static func seal(
      _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into ciphertext: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      guard let nonce = Self.nonce(nonce) else { return false }
      let key = SymmetricKey(copying: key)
      let box = unsafe plaintext.withUnsafeBytes { plaintext in
        unsafe data.withUnsafeBytes { data in
          unsafe try? ChaChaPoly.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        }
      }
      guard let box else { return false }
      var output = unsafe MutableSpan(_unsafeStart: ciphertext, count: plaintext.count + AEAD.tagSize)
      return output.fill(with: box.ciphertext, box.tag)
    }

    static func open(
      _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool {
      guard let box = box(ciphertext, nonce) else { return false }
      let key = SymmetricKey(copying: key)
      // Keep a single reference: `Data` with a second owner is copied first, and only the copy is wiped.
      guard
        var opened = unsafe data.withUnsafeBytes({ data in
          unsafe try? ChaChaPoly.open(box, using: key, authenticating: data)
        })
      else { return false }
      return plaintext.fill(wiping: &opened)
    }

    private static func box(_ ciphertext: Span<UInt8>, _ nonce: Span<UInt8>) -> ChaChaPoly.SealedBox? {
      guard let nonce = Self.nonce(nonce) else { return nil }
      let (text, tag) = (
        ciphertext.extracting(droppingLast: AEAD.tagSize), ciphertext.extracting(last: AEAD.tagSize)
      )
      return unsafe text.withUnsafeBytes { text in
        unsafe tag.withUnsafeBytes { tag in
          unsafe try? ChaChaPoly.SealedBox(nonce: nonce, ciphertext: text, tag: tag)
        }
      }
    }

    private static func nonce(_ bytes: Span<UInt8>) -> ChaChaPoly.Nonce? {
      unsafe bytes.withUnsafeBytes { unsafe try? ChaChaPoly.Nonce(data: $0) }
    }
  }

  /// AES-GCM from CryptoKit, with a key of 16, 24 or 32 bytes.
  ///
  /// ``AEAD`` has checked the lengths.
  enum CryptoKitAESGCM {
    /// Encrypts into memory that is 16 bytes longer, and may begin at the same address.
    @unsafe static func seal(
      _ plaintext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into ciphertext: UnsafeMutablePointer<UInt8>
    ) -> Bool {
      guard let nonce = Self.nonce(nonce) else { return false }
      let key = SymmetricKey(copying: key)
      let box = unsafe plaintext.withUnsafeBytes { plaintext in
        unsafe data.withUnsafeBytes { data in
          unsafe try? AES.GCM.seal(plaintext, using: key, nonce: nonce, authenticating: data)
        }
      }
      guard let box else { return false }
      var output = unsafe MutableSpan(_unsafeStart: ciphertext, count: plaintext.count + AEAD.tagSize)
      return output.fill(with: box.ciphertext, box.tag)
    }

    static func open(
      _ ciphertext: Span<UInt8>, authenticating data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
      into plaintext: inout MutableSpan<UInt8>
    ) -> Bool {
      guard let box = box(ciphertext, nonce) else { return false }
      let key = SymmetricKey(copying: key)
      // Keep a single reference: `Data` with a second owner is copied first, and only the copy is wiped.
      guard
        var opened = unsafe data.withUnsafeBytes({ data in
          unsafe try? AES.GCM.open(box, using: key, authenticating: data)
        })
      else { return false }
      return plaintext.fill(wiping: &opened)
    }

    private static func box(_ ciphertext: Span<UInt8>, _ nonce: Span<UInt8>) -> AES.GCM.SealedBox? {
      guard let nonce = Self.nonce(nonce) else { return nil }
      let (text, tag) = (
        ciphertext.extracting(droppingLast: AEAD.tagSize), ciphertext.extracting(last: AEAD.tagSize)
      )
      return unsafe text.withUnsafeBytes { text in
        unsafe tag.withUnsafeBytes { tag in
          unsafe try? AES.GCM.SealedBox(nonce: nonce, ciphertext: text, tag: tag)
        }
      }
    }

    private static func nonce(_ bytes: Span<UInt8>) -> AES.GCM.Nonce? {
      unsafe bytes.withUnsafeBytes { unsafe try? AES.GCM.Nonce(data: $0) }
    }
  }
#endif
