#if !canImport(CryptoKit)
  /// X-Wing (draft-connolly-cfrg-xwing-kem, 5), with ML-KEM-768 and SHA-3 from OpenSSL and X25519 from libsodium.
  ///
  /// ``XWing`` has checked the lengths and the points. `nil` means that memory ran out or an algorithm is missing.
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

      /// Expands a private key: expandDecapsulationKey(sk) (5.2).
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

      /// Recovers a shared secret: Decapsulate(ct, sk) (5.5).
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

    /// The encapsulations of one batch: the part of X25519 is computed for eight at a time.
    ///
    /// Consecutive messages to one recipient share the computations on its key.
    final class Encapsulations {
      /// The randomness of each encapsulation, `eseed`: 32 bytes for ML-KEM-768, then 32 for X25519.
      private let seeds: SharedSecret?
      private let ctX: [UInt8]
      private let agreements: Agreements
      private var recipient: (publicKey: [UInt8], mlkem: OpenSSLMLKEM768)?

      /// Prepares an encapsulation to each public key, of which nil is refused, with randomness that is given or drawn.
      init(to recipients: [[UInt8]?], seeds: SharedSecret?) {
        let ekX = Secret(count: recipients.count * X25519.keySize) { ekX in
          guard let seeds else { return SystemRandom().fill(&ekX) }
          for position in recipients.indices {
            let eseed = seeds.exposedBytes.item(position, size: OpenSSLXWing.seedSize)
            ekX.replaceItem(position, with: eseed.extracting(MLKEM768.encapsulationSeedSize...))
          }
        }
        self.seeds = seeds
        // ct_X = X25519(ek_X, X25519_BASE); ss_X = X25519(ek_X, pk_X)
        ctX = Self.publicKeys(of: ekX)
        agreements = Agreements(
          .x25519, privateKeys: ekX, recipients: recipients.map { $0.map(OpenSSLXWing.pkX) ?? [] })
      }

      private static func publicKeys(of ekX: borrowing Secret) -> [UInt8] {
        X25519.publicKeys(of: ekX.exposedBytes)
      }

      /// Encapsulates a secret: Encapsulate(pk) (5.4), or EncapsulateDerand(pk, eseed) (5.4.1).
      func encapsulation(to publicKey: [UInt8], at position: Int) -> Encapsulation? {
        let ctX = ctX
        guard let ssX = try? agreements.secret(at: position) else { return nil }
        // (ss_M, ct_M) = ML-KEM-768.Encaps(pk_M)
        var ct = [UInt8](repeating: 0, count: MLKEM768.ciphertextSize)
        guard let mlkem = mlkem(of: publicKey), let ssM = encapsulate(to: mlkem, at: position, into: &ct)
        else {
          return nil
        }
        // ss = Combiner(ss_M, ss_X, ct_X, pk_X); ct = concat(ct_M, ct_X)
        let own = ctX.span.item(position, size: X25519.keySize)
        guard let ss = combine(ssM: ssM, ssX: ssX, ctX: own, pkX: pkX(of: publicKey)) else { return nil }
        ct += [UInt8](copying: own)
        return Encapsulation(sharedSecret: ss, encapsulatedKey: ct)
      }

      private func encapsulate(to mlkem: OpenSSLMLKEM768, at position: Int, into ct: inout [UInt8]) -> Secret?
      {
        var ctM = ct.mutableSpan
        guard let seeds else { return mlkem.encapsulate(seed: nil, into: &ctM) }
        let eseed = seeds.exposedBytes.item(position, size: OpenSSLXWing.seedSize)
        return mlkem.encapsulate(seed: eseed.extracting(..<MLKEM768.encapsulationSeedSize), into: &ctM)
      }

      private func mlkem(of publicKey: [UInt8]) -> OpenSSLMLKEM768? {
        if let recipient, recipient.publicKey == publicKey { return recipient.mlkem }
        guard let mlkem = OpenSSLMLKEM768(publicKey: publicKey.span.extracting(..<MLKEM768.publicKeySize))
        else {
          return nil
        }
        recipient = (publicKey, mlkem)
        return mlkem
      }
    }

    private static let seedSize = MLKEM768.encapsulationSeedSize + X25519.keySize

    /// X25519's part of a public key.
    private static func pkX(of publicKey: [UInt8]) -> [UInt8] { Array(publicKey[MLKEM768.publicKeySize...]) }

    /// Combines both secrets into one: Combiner(ss_M, ss_X, ct_X, pk_X) (5.3).
    ///
    /// The result is SHA3-256(concat(ss_M, ss_X, ct_X, pk_X, XWingLabel)).
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
