#if canImport(Glibc)
  import Glibc
  import PushCrypto
  import Testing

  /// The process's other code finds the errors of its own calls where OpenSSL left them, and no other errors.
  @Suite("OpenSSL's queue of errors is as it was before a call")
  struct OpenSSLErrorTests {
    /// A call, and whether it succeeds.
    enum Call: CaseIterable {
      case point, noPoint, agreement, noAgreement, publicKey, noPublicKey
      case seal, open, openAltered
      case encrypt, decrypt, decryptWronglyPadded
      case derive, deriveOld, digest
    }

    @Test(arguments: Call.allCases) func `with errors of the host`(call: Call) throws {
      let queue = ErrorQueue()
      queue.clear()
      queue.add()
      let before = queue.take()
      try #require(before.count == 2)
      queue.add()
      #expect(try Self.succeeds(call) == Self.isToSucceed(call))
      #expect(queue.take() == before)
    }

    @Test(arguments: Call.allCases) func `without`(call: Call) throws {
      let queue = ErrorQueue()
      queue.clear()
      #expect(try Self.succeeds(call) == Self.isToSucceed(call))
      #expect(queue.take().isEmpty)
    }

    private static func isToSucceed(_ call: Call) -> Bool {
      switch call {
      case .noPoint, .noAgreement, .noPublicKey, .openAltered, .decryptWronglyPadded: false
      default: true
      }
    }

    private static func succeeds(_ call: Call) throws -> Bool {
      let (key, block) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 1, count: 16))
      let nonce = [UInt8](repeating: 1, count: AEAD.nonceSize)
      let noPoint = [4] + [UInt8](repeating: 1, count: P256.publicKeySize - 1)
      let noScalar = [UInt8](repeating: 0xff, count: 32)
      let point = try P256.publicKey(of: key.span)
      var sealed = try AEAD.aes256GCM.seal(
        block.span, authenticating: Span(), key: key.span, nonce: nonce.span)
      let text = [UInt8](repeating: 0x40, count: 16)
      var encrypted = try AESCBC.encrypt(text.span, key: key.span, initializationVector: block.span)
      do throws(CryptoError) {
        switch call {
        case .point: try P256.validate(publicKey: point.span)
        case .noPoint: try P256.validate(publicKey: noPoint.span)
        case .agreement: _ = try P256.sharedSecret(privateKey: key.span, publicKey: point.span)
        case .noAgreement: _ = try P256.sharedSecret(privateKey: key.span, publicKey: noPoint.span)
        case .publicKey: _ = try P256.publicKey(of: key.span)
        case .noPublicKey: _ = try P256.publicKey(of: noScalar.span)
        case .seal:
          _ = try AEAD.aes256GCM.seal(key.span, authenticating: Span(), key: key.span, nonce: nonce.span)
        case .open, .openAltered:
          if call == .openAltered { sealed[0] ^= 1 }
          _ = try AEAD.aes256GCM.open(sealed.span, authenticating: Span(), key: key.span, nonce: nonce.span)
        case .encrypt: _ = try AESCBC.encrypt(key.span, key: key.span, initializationVector: block.span)
        case .decrypt, .decryptWronglyPadded:
          if call == .decryptWronglyPadded { encrypted.removeLast(16) }
          _ = try AESCBC.decrypt(encrypted.span, key: key.span, initializationVector: block.span)
        case .derive:
          _ = try PBKDF2.key(of: key.span, salt: block.span, iterations: 1, digest: .sha256, count: 32)
        case .deriveOld:
          _ = try EVPBytesToKey.key(of: key.span, salt: block.span.extracting(first: 8), digest: .md5)
        case .digest: _ = try IncrementalSHA256().finish()
        }
        return true
      } catch {
        return false
      }
    }
  }

  /// The queue of this thread, as other code in the process sees it.
  private struct ErrorQueue {
    /// Fails in two ways, each of which leaves an error.
    func add() {
      typealias Text = UnsafePointer<CChar>
      typealias Fetch = @convention(c) (OpaquePointer?, Text, Text?) -> OpaquePointer?
      let fetch = unsafe unsafeBitCast(dlsym(nil, "EVP_MD_fetch"), to: Fetch.self)
      _ = unsafe fetch(nil, "no such digest", nil)
      typealias Group = @convention(c) (CInt) -> OpaquePointer?
      let group = unsafe unsafeBitCast(dlsym(nil, "EC_GROUP_new_by_curve_name"), to: Group.self)
      _ = unsafe group(0)
    }

    /// Takes the errors out, oldest first.
    func take() -> [CUnsignedLong] {
      typealias Take = @convention(c) () -> CUnsignedLong
      let take = unsafe unsafeBitCast(dlsym(nil, "ERR_get_error"), to: Take.self)
      var errors: [CUnsignedLong] = []
      while case let error = take(), error != 0 { errors.append(error) }
      return errors
    }

    func clear() { _ = take() }
  }
#endif
