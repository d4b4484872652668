#if !canImport(CryptoKit)
  /// X-Wing (draft-connolly-cfrg-xwing-kem, 5), with ML-KEM-768 and SHA-3 from OpenSSL and X25519 from libsodium.
  ///
  /// ``XWing`` has checked the lengths and the points. `nil` means that memory ran out or the library lost an algorithm.
  enum OpenSSLXWing {
    static let isAvailable = missing.isEmpty

    /// The algorithms that X-Wing needs and the running library lacks.
    static let missing = [
      ("ML-KEM-768", OpenSSLMLKEM768.isAvailable), ("SHA3-256 and SHAKE256", OpenSSLSHA3.isAvailable),
    ].filter { !$0.1 }.map(\.0)

    /// An expanded private key.
    final class PrivateKey: Sendable {
      private let mlkem: OpenSSLMLKEM768
      private let skX: SharedSecret
      private let pkX: [UInt8]
      let publicKey: [UInt8]

      /// expandDecapsulationKey(sk) (5.2).
      init?(seed sk: Span<UInt8>) {
        // expanded = SHAKE256(sk, 96)
        guard let shake = OpenSSLSHA3(.shake256) else { return nil }
        shake.update(sk)
        let expanded = shake.finish(count: MLKEM768.seedSize + X25519.keySize)
        // (pk_M, sk_M) = ML-KEM-768.KeyGen_internal(expanded[0:32], expanded[32:64])
        guard let mlkem = Self.mlkem(from: expanded), let pkM = mlkem.publicKey else { return nil }
        // sk_X = expanded[64:96]; pk_X = X25519(sk_X, X25519_BASE)
        let skX = Self.skX(from: expanded)
        guard let pkX = try? X25519.publicKey(of: skX.exposedBytes) else { return nil }
        self.mlkem = mlkem
        self.skX = skX
        self.pkX = pkX
        // concat(pk_M, pk_X)
        publicKey = pkM + pkX
      }

      private static func mlkem(from expanded: borrowing Secret) -> OpenSSLMLKEM768? {
        OpenSSLMLKEM768(seed: expanded.exposedBytes.extracting(..<MLKEM768.seedSize))
      }

      private static func skX(from expanded: borrowing Secret) -> SharedSecret {
        SharedSecret(Secret(copying: expanded.exposedBytes.extracting(MLKEM768.seedSize...), in: .guarded))
      }

      /// Decapsulate(ct, sk) (5.5).
      func decapsulate(_ ct: Span<UInt8>) -> Secret? {
        // ct_M = ct[0:1088]; ct_X = ct[1088:1120]
        let (ctM, ctX) = (
          ct.extracting(..<MLKEM768.ciphertextSize), ct.extracting(MLKEM768.ciphertextSize...)
        )
        // ss_M = ML-KEM-768.Decapsulate(ct_M, sk_M); ss_X = X25519(sk_X, ct_X)
        let skX = skX
        guard let ssM = mlkem.decapsulate(ctM),
          let ssX = try? X25519.sharedSecret(privateKey: skX.exposedBytes, publicKey: ctX)
        else { return nil }
        // return Combiner(ss_M, ss_X, ct_X, pk_X)
        return combine(ssM: ssM, ssX: ssX, ctX: ctX, pkX: pkX)
      }
    }

    /// A recipient's public key.
    final class PublicKey {
      let bytes: [UInt8]
      private let mlkem: OpenSSLMLKEM768
      private let pkX: [UInt8]

      init?(_ bytes: Span<UInt8>) {
        guard let mlkem = OpenSSLMLKEM768(publicKey: bytes.extracting(..<MLKEM768.publicKeySize)) else {
          return nil
        }
        self.mlkem = mlkem
        self.bytes = [UInt8](copying: bytes)
        pkX = [UInt8](copying: bytes.extracting(MLKEM768.publicKeySize...))
      }

      /// Encapsulate(pk) (5.4).
      func encapsulate() -> Encapsulation? {
        let ekX = SystemRandom().secret(count: X25519.keySize)
        return encapsulate(m: nil, ekX: ekX.exposedBytes)
      }

      /// EncapsulateDerand(pk, eseed) (5.4.1): eseed is 32 bytes for ML-KEM-768, and 32 for X25519.
      func encapsulate(seed eseed: Span<UInt8>) -> Encapsulation? {
        encapsulate(
          m: eseed.extracting(..<MLKEM768.encapsulationSeedSize),
          ekX: eseed.extracting(MLKEM768.encapsulationSeedSize...))
      }

      private func encapsulate(m: Span<UInt8>?, ekX: Span<UInt8>) -> Encapsulation? {
        let pkX = pkX
        // ct_X = X25519(ek_X, X25519_BASE); ss_X = X25519(ek_X, pk_X)
        guard let ctX = try? X25519.publicKey(of: ekX),
          let ssX = try? X25519.sharedSecret(privateKey: ekX, publicKey: pkX.span)
        else { return nil }
        // (ss_M, ct_M) = ML-KEM-768.Encaps(pk_M)
        var ct = [UInt8](repeating: 0, count: MLKEM768.ciphertextSize)
        var ctM = ct.mutableSpan
        guard let ssM = mlkem.encapsulate(seed: m, into: &ctM) else { return nil }
        // ss = Combiner(ss_M, ss_X, ct_X, pk_X); ct = concat(ct_M, ct_X)
        guard let ss = combine(ssM: ssM, ssX: ssX, ctX: ctX.span, pkX: pkX) else { return nil }
        ct += ctX
        return Encapsulation(sharedSecret: ss, encapsulatedKey: ct)
      }
    }

    /// Combiner(ss_M, ss_X, ct_X, pk_X) (5.3): SHA3-256(concat(ss_M, ss_X, ct_X, pk_X, XWingLabel)).
    private static func combine(
      ssM: borrowing Secret, ssX: borrowing Secret, ctX: Span<UInt8>, pkX: [UInt8]
    ) -> Secret? {
      guard let hash = OpenSSLSHA3(.sha3_256) else { return nil }
      let label = XWing.label
      hash.update(ssM.exposedBytes)
      hash.update(ssX.exposedBytes)
      hash.update(ctX)
      hash.update(pkX.span)
      hash.update(label.span)
      return hash.finish(count: XWing.sharedSecretSize)
    }
  }
#endif
