#if !canImport(CryptoKit)
  /// X25519 for eight keys at a time.
  ///
  /// ``X25519`` has checked the lengths. Keys, and what is computed of them, are concatenated, 32 bytes each.
  struct X25519Lanes: Sendable {
    /// With the library of this process.
    static let shared = X25519Lanes(of: CryptoMB.library)

    let product: LaneFunction<Product>
    let baseProduct: LaneFunction<BaseProduct>

    /// Tests the functions of a library, if there is one.
    init(of library: Result<CryptoMB.Library, CryptoMB.NoLibrary>) {
      product = LaneFunction("mbx_x25519_mb8", of: library) { function in
        LaneTest.isPassed(items: LaneTest.points, size: Self.size) { points in
          let scalars = SystemRandom().secret(count: points.count)
          return Self.sharedSecrets(
            by: function, privateKeys: scalars.exposedBytes, publicKeys: points, comparing: LaneTest.allLanes)
            != nil
        }
      }
      baseProduct = LaneFunction("mbx_x25519_public_key_mb8", of: library) { function in
        LaneTest.isPassed(items: LaneTest.scalars, size: Self.size) { scalars in
          Self.publicKeys(of: scalars, by: function, comparing: LaneTest.allLanes) != nil
        }
      }
    }

    /// Computes X25519(sk, pk) of each private key and its point: all zero if the point is of small order.
    ///
    /// Returns `false` where the lanes are not used.
    func sharedSecrets(
      privateKeys: Span<UInt8>, points: [[UInt8]], into secrets: inout MutableSpan<UInt8>
    ) -> Bool {
      guard product.isUsed else { return false }
      let publicKeys = points.flatMap(\.self)
      return product.run(count: points.count, size: Self.size, into: &secrets) {
        function, positions, compared in
        Self.sharedSecrets(
          by: function, privateKeys: privateKeys.items(positions, size: Self.size),
          publicKeys: publicKeys.span.items(positions, size: Self.size), comparing: compared)
      }
    }

    /// Computes X25519(sk, 9) of each key.
    ///
    /// Returns nil where the lanes are not used.
    func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8]? {
      let count = privateKeys.count / Self.size
      guard baseProduct.isUsed else { return nil }
      var publicKeys = [UInt8](repeating: 0, count: privateKeys.count)
      var span = publicKeys.mutableSpan
      let isDone = baseProduct.run(count: count, size: Self.size, into: &span) {
        function, positions, compared in
        Self.publicKeys(of: privateKeys.items(positions, size: Self.size), by: function, comparing: compared)
      }
      return isDone ? publicKeys : nil
    }

    @safe struct Product {
      let call: @convention(c) (LaneOutputs, LaneInputs, LaneInputs) -> UInt32
    }

    @safe struct BaseProduct {
      let call: @convention(c) (LaneOutputs, LaneInputs) -> UInt32
    }

    private static let size = X25519.keySize

    private static func sharedSecrets(
      by function: Product, privateKeys: Span<UInt8>, publicKeys: Span<UInt8>, comparing compared: Range<Int>
    ) -> Secret? {
      let answers = unsafe LaneAnswers(size: size) { secrets in
        unsafe privateKeys.withLanes(size: size) { privateKeys in
          unsafe publicKeys.withLanes(size: size) { unsafe function.call(secrets, privateKeys, $0) }
        }
      }
      return answers.checked(
        count: publicKeys.count / size, comparing: compared,
        isForLibrary: { !overflows(publicKeys.item($0, size: size)) }
      ) { lane in
        SodiumX25519.sharedSecret(
          privateKey: privateKeys.item(lane, size: size), publicKey: publicKeys.item(lane, size: size))
      }
    }

    /// Whether a point's u coordinate, twice it or four times it is within 2^192 of 2^255, modulo 2^255: 61 bits in a row are
    /// ones.
    ///
    /// The library loses a carry where a number of all ones is multiplied. It does so for other numbers, too, which no random
    /// point is; their messages do not open.
    private static func overflows(_ point: Span<UInt8>) -> Bool {
      point[size - 1] & 0x1f == 0x1f && (24..<size - 1).allSatisfy { point[$0] == 0xff }
    }

    private static func publicKeys(
      of privateKeys: Span<UInt8>, by function: BaseProduct, comparing compared: Range<Int>
    ) -> Secret? {
      let answers = unsafe LaneAnswers(size: size) { publicKeys in
        unsafe privateKeys.withLanes(size: size) { unsafe function.call(publicKeys, $0) }
      }
      return answers.checked(count: privateKeys.count / size, comparing: compared) { lane in
        Secret(copying: SodiumX25519.publicKeys(of: privateKeys.item(lane, size: size)).span)
      }
    }
  }
#endif
