#if canImport(Glibc)
  @testable import PushCrypto
  import TestSupport
  import Testing

  /// Computations for many messages at once, in lanes where this processor and a library have them, against published vectors
  /// and against the computations for one.
  struct BatchVectorTests {
    /// Why nothing is computed in lanes here; nil if something is.
    private static let obstacle: LaneState? = {
      let state = X25519Lanes.shared.product.state
      return state.isInUse ? nil : state
    }()

    /// How many random inputs are tried.
    private static let count = Volume.isWhole ? 4000 : 400

    @Test(.enabled(if: obstacle == nil, "\(obstacle.map(\.description) ?? "")"))
    func `this processor computes the batches in lanes`() {
      #expect(X25519Lanes.shared.baseProduct.state.isInUse)
      #expect(P256Lanes.shared.product.state.isInUse)
      #expect(P256Lanes.shared.baseProduct.state.isInUse)
    }

    @Test func `Wycheproof's keys of X25519`() throws {
      for test in Self.batches(of: try X25519VectorTests.cases()) {
        let publicKeys = test.map(\.public.bytes)
        let privateKeys = test.flatMap(\.private.bytes)
        let secrets = X25519.sharedSecrets(privateKeys: privateKeys.span, publicKeys: publicKeys[...])
        // A secret that is all zero is none.
        #expect(exposed(secrets) == test.flatMap(\.shared.bytes))
      }
    }

    @Test func `Wycheproof's keys of P-256`() throws {
      for test in Self.batches(of: try P256VectorTests.cases()) {
        let publicKeys = test.map(\.public.bytes)
        let privateKeys = test.flatMap { P256VectorTests.fixedLength($0.private.bytes) }
        let secrets = P256.sharedSecrets(privateKeys: privateKeys.span, publicKeys: publicKeys[...])
        let none = [UInt8](repeating: 0, count: 32)
        #expect(exposed(secrets) == test.flatMap { $0.result == .valid ? $0.shared.bytes : none })
      }
    }

    @Test func `Wycheproof's texts, signed by Ed25519`() throws {
      let privateKey = exposed(SystemRandom().secret(count: 32))
      let publicKey = try Ed25519.publicKey(of: privateKey.span)
      let texts = try Ed25519Case.load().map(\.msg.bytes)
      let signatures = try Ed25519.sign(texts, privateKey: privateKey.span, publicKey: publicKey.span)
      let alone = try texts.map {
        try Ed25519.sign($0.span, privateKey: privateKey.span, publicKey: publicKey.span)
      }
      #expect(signatures == alone)
    }

    @Test func `random keys of X25519`() throws {
      try check(
        count: Self.count, publicKeys: X25519.publicKeys, sharedSecrets: X25519.sharedSecrets,
        publicKey: X25519.publicKey, sharedSecret: X25519.sharedSecret)
    }

    @Test func `random keys of P-256`() throws {
      try check(
        count: Self.count / 4, publicKeys: P256.publicKeys, sharedSecrets: P256.sharedSecrets,
        publicKey: P256.publicKey, sharedSecret: P256.sharedSecret)
    }

    private func check(
      count: Int, publicKeys: (Span<UInt8>) throws -> [UInt8],
      sharedSecrets: (Span<UInt8>, ArraySlice<[UInt8]>) -> Secret, publicKey: (Span<UInt8>) throws -> [UInt8],
      sharedSecret: (Span<UInt8>, Span<UInt8>) throws -> Secret
    ) throws {
      for _ in stride(from: 0, to: count, by: 100) {
        let (ours, theirs) = (privateKeys(100), privateKeys(100))
        let keys = try (Self.items(of: ours) + Self.items(of: theirs)).map { try publicKey($0.span) }
        let all = ours + theirs
        #expect(try publicKeys(all.span) == keys.flatMap(\.self))
        let peers = Array(keys.suffix(100))
        let secrets = exposed(sharedSecrets(ours.span, peers[...]))
        let alone = try zip(Self.items(of: ours), peers).flatMap { own, peer in
          exposed(try sharedSecret(own.span, peer.span))
        }
        #expect(secrets == alone)
      }
    }

    /// Random numbers that every curve takes as private keys.
    private func privateKeys(_ count: Int) -> [UInt8] {
      var bytes = exposed(SystemRandom().secret(count: count * 32))
      for index in 0..<count { bytes[index * 32] = 1 }
      return bytes
    }

    private static func items(of bytes: [UInt8]) -> [[UInt8]] {
      stride(from: 0, to: bytes.count, by: 32).map { Array(bytes[$0..<$0 + 32]) }
    }

    /// The items in parts that fill all lanes, some lanes, or one.
    private static func batches<Item>(of items: [Item]) -> [[Item]] {
      let sizes = [8, 3, 1, 16, 5]
      var (batches, start): ([[Item]], Int) = ([], 0)
      while start < items.count {
        let size = sizes[batches.count % sizes.count]
        batches.append(Array(items[start...].prefix(size)))
        start += size
      }
      return batches
    }
  }
#endif
