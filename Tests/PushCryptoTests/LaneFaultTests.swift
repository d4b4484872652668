#if canImport(Glibc)
  @testable import PushCrypto
  import Synchronization
  import Testing

  /// A library that computes as libsodium and OpenSSL do, apart from planted faults: no processor needs lanes for it.
  struct LaneFaultTests {
    private let privateKeys = exposed(SystemRandom().secret(count: 8 * 32))
    private let points = (0..<8).map { [UInt8](repeating: UInt8($0 + 40), count: 32) }

    @Test func `a library that is right is used`() {
      let lanes = X25519Lanes(of: .success(FakeLibrary.right))
      #expect(lanes.product.state == .inUse("fake"))
      #expect(lanes.baseProduct.state == .inUse("fake"))
      #expect(sharedSecrets(by: lanes) == expected)
      let publicKeys = lanes.publicKeys(of: privateKeys.span)
      #expect(publicKeys == SodiumX25519.publicKeys(of: privateKeys.span))
    }

    @Test(arguments: 1...8) func `lanes that are left are no part of the answer`(count: Int) {
      let lanes = X25519Lanes(of: .success(FakeLibrary.right))
      #expect(sharedSecrets(by: lanes, count: count) == expected.map { Array($0.prefix(32 * count)) })
    }

    @Test func `a library that is wrong at once is not used`() {
      let lanes = X25519Lanes(of: .success(FakeLibrary.wrong))
      #expect(lanes.product.state == .wrongAnswers("fake"))
      #expect(lanes.baseProduct.state == .wrongAnswers("fake"))
      #expect(sharedSecrets(by: lanes) == nil)
      let publicKeys = lanes.publicKeys(of: privateKeys.span)
      #expect(publicKeys == nil)
    }

    @Test func `a signature that is wrong at once is not used`() {
      let lanes = Ed25519Lanes(of: .success(FakeLibrary.wrong))
      #expect(lanes.sign.state == .wrongAnswers("fake"))
      #expect(signatures(by: lanes) == nil)
    }

    @Test func `signatures are those of libsodium`() throws {
      let lanes = Ed25519Lanes(of: .success(FakeLibrary.right))
      #expect(lanes.sign.state == .inUse("fake"))
      let privateKey = [UInt8](repeating: 7, count: 32)
      let publicKey = try Ed25519.publicKey(of: privateKey.span)
      let expected = try texts.map {
        try Ed25519.sign($0.span, privateKey: privateKey.span, publicKey: publicKey.span)
      }
      #expect(signatures(by: lanes) == expected)
    }

    @Test func `a library without a function is used for the others`() {
      let lanes = X25519Lanes(of: .success(FakeLibrary.without("mbx_x25519_public_key_mb8")))
      #expect(lanes.baseProduct.state == .noFunction("fake"))
      #expect(lanes.product.state == .inUse("fake"))
    }

    @Test func `no library, nothing in lanes`() {
      let lanes = X25519Lanes(of: .failure(CryptoMB.NoLibrary(state: .noLibrary)))
      #expect(lanes.product.state == .noLibrary)
      #expect(sharedSecrets(by: lanes) == nil)
    }

    @Test func `points that the library takes wrongly are computed without it`() {
      let lanes = X25519Lanes(of: .success(FakeLibrary.wrongForLargePoints))
      #expect(lanes.product.state == .inUse("fake"))
    }

    @Test
    func `a point that the library takes wrongly, and that is seen, does not end the use of the library`() {
      let lanes = X25519Lanes(of: .success(FakeLibrary.wrongForAPoint))
      #expect(lanes.product.state == .inUse("fake"))
      let answers = (0..<64).map { _ in sharedSecrets(by: lanes) }
      #expect(answers.contains(nil))
      #expect(answers.count { $0 == nil } == 1)
      #expect(lanes.product.state == .inUse("fake"))
    }

    @Test func `a lane that the library refuses is computed without it`() {
      let lanes = X25519Lanes(of: .success(FakeLibrary.refusing))
      #expect(lanes.product.state == .inUse("fake"))
      #expect(sharedSecrets(by: lanes) == expected)
    }

    /// One call of eight is compared, in each lane in turn, so 64 calls show any lane that is always wrong.
    @Test(.serialized, arguments: 0..<8) func `a lane that turns wrong later is noticed`(lane: Int) {
      FakeLibrary.turning.store(-1, ordering: .relaxed)
      let lanes = X25519Lanes(of: .success(FakeLibrary.turningWrong))
      #expect(lanes.product.state == .inUse("fake"))
      FakeLibrary.turning.store(lane, ordering: .relaxed)
      let answers = (0..<64).map { _ in sharedSecrets(by: lanes) }
      #expect(answers.contains(nil))
      #expect(lanes.product.state == .wrongAnswers("fake"))
      #expect(sharedSecrets(by: lanes) == nil)
    }

    @Test func `what is not a point of P-256 gets nothing, and harms no other lane`() throws {
      let lanes = P256Lanes(of: .success(FakeLibrary.right))
      #expect(lanes.product.state == .inUse("fake"))
      let numbers = (1...8).map { [UInt8](repeating: $0, count: 32) }
      var keys = try numbers.map { try P256.publicKey(of: $0.span) }
      keys[2][64] ^= 1
      keys[5] = []
      var secrets = [UInt8](repeating: 0xff, count: 8 * 32)
      var span = secrets.mutableSpan
      let privateKeys = numbers.flatMap(\.self)
      let isDone = lanes.sharedSecrets(privateKeys: privateKeys.span, publicKeys: keys[...], into: &span)
      #expect(isDone)
      for (position, number) in numbers.enumerated() {
        let key = keys[position]
        let expected =
          [2, 5].contains(position)
          ? [UInt8](repeating: 0, count: 32)
          : exposed(try P256.sharedSecret(privateKey: number.span, publicKey: key.span))
        #expect(Array(secrets[position * 32..<position * 32 + 32]) == expected)
      }
    }

    @Test func `key pairs of P-256 are those of OpenSSL`() throws {
      let lanes = P256Lanes(of: .success(FakeLibrary.right))
      #expect(lanes.baseProduct.state == .inUse("fake"))
      let numbers = (1...11).map { [UInt8](repeating: $0, count: 32) }
      let expected = try numbers.flatMap { try P256.publicKey(of: $0.span) }
      let privateKeys = numbers.flatMap(\.self)
      let publicKeys = lanes.publicKeys(of: privateKeys.span)
      #expect(publicKeys == expected)
    }

    private var texts: [[UInt8]] { (0..<11).map { [UInt8](repeating: UInt8($0), count: 40 * $0) } }

    private func signatures(by lanes: Ed25519Lanes) -> [[UInt8]]? {
      let privateKey = [UInt8](repeating: 7, count: 32)
      let publicKey = SodiumEd25519.publicKey(of: privateKey.span)
      return lanes.signatures(on: texts, privateKey: privateKey.span, publicKey: publicKey.span)
    }

    private var expected: [UInt8]? {
      points.enumerated().flatMap { position, point in
        exposed(
          SodiumX25519.sharedSecret(
            privateKey: privateKeys.span.item(position, size: 32), publicKey: point.span))
      }
    }

    private func sharedSecrets(by lanes: X25519Lanes, count: Int = 8) -> [UInt8]? {
      var secrets = [UInt8](repeating: 0, count: 32 * count)
      var span = secrets.mutableSpan
      let isDone = lanes.sharedSecrets(
        privateKeys: privateKeys.span.items(0..<count, size: 32), points: Array(points.prefix(count)),
        into: &span)
      return isDone ? secrets : nil
    }
  }
#endif
