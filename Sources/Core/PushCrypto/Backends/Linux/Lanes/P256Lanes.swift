#if !canImport(CryptoKit)
  /// P-256 for eight keys at a time.
  ///
  /// ``P256`` has checked the private keys: 32 bytes each, concatenated, from 1 to the order - 1.
  struct P256Lanes: Sendable {
    /// With the library of this process.
    static let shared = P256Lanes(of: CryptoMB.library)

    let product: LaneFunction<Product>
    let baseProduct: LaneFunction<BaseProduct>

    /// Tests the functions of a library, if there is one.
    init(of library: Result<CryptoMB.Library, CryptoMB.NoLibrary>) {
      product = LaneFunction("mbx_nistp256_ecdh_mb8", of: library) { function in
        LaneTest.isPassed(items: LaneTest.points(of: LaneTest.numbers)) { points in
          let privateKeys = LaneTest.numbers
          return Self.sharedSecrets(
            by: function, privateKeys: privateKeys.span.items(0..<points.count, size: Self.size),
            points: points,
            comparing: LaneTest.allLanes) != nil
        }
      }
      baseProduct = LaneFunction("mbx_nistp256_ecpublic_key_mb8", of: library) { function in
        LaneTest.isPassed(items: LaneTest.numbers, size: Self.size) { privateKeys in
          Self.coordinates(of: privateKeys, by: function, comparing: LaneTest.allLanes) != nil
        }
      }
    }

    /// Computes the x coordinates of the products of private keys and public keys: all zero if a key is not a point.
    ///
    /// Returns `false` where the lanes are not used.
    func sharedSecrets(
      privateKeys: Span<UInt8>, publicKeys: ArraySlice<[UInt8]>, into secrets: inout MutableSpan<UInt8>
    ) -> Bool {
      guard product.isUsed else { return false }
      let arePoints = publicKeys.map { (try? P256.validate(publicKey: $0.span)) != nil }
      // The library does not look, so what is not a point is replaced by one.
      let points = zip(publicKeys, arePoints).map { $1 ? $0 : P256.basePoint }
      let isDone = product.run(count: points.count, size: Self.size, into: &secrets) {
        function, positions, compared in
        Self.sharedSecrets(
          by: function, privateKeys: privateKeys.items(positions, size: Self.size), points: points[positions],
          comparing: compared)
      }
      for position in arePoints.indices where isDone && !arePoints[position] {
        for index in 0..<Self.size { secrets[position * Self.size + index] = 0 }
      }
      return isDone
    }

    /// Computes the public key, 0x04, x, y, of each private key.
    ///
    /// Returns nil where the lanes are not used.
    func publicKeys(of privateKeys: Span<UInt8>) -> [UInt8]? {
      let count = privateKeys.count / Self.size
      guard baseProduct.isUsed else { return nil }
      var coordinates = [UInt8](repeating: 0, count: count * 2 * Self.size)
      var span = coordinates.mutableSpan
      let isDone = baseProduct.run(count: count, size: 2 * Self.size, into: &span) {
        function, positions, compared in
        Self.coordinates(of: privateKeys.items(positions, size: Self.size), by: function, comparing: compared)
      }
      guard isDone else { return nil }
      var publicKeys: [UInt8] = []
      publicKeys.reserveCapacity(count * P256.publicKeySize)
      for start in stride(from: 0, to: coordinates.count, by: 2 * Self.size) {
        publicKeys.append(P256.uncompressed)
        publicKeys += coordinates[start..<start + Self.size].reversed()
        publicKeys += coordinates[start + Self.size..<start + 2 * Self.size].reversed()
      }
      return publicKeys
    }

    // Numbers are little endian. Third coordinates may be null, and then the others are affine; so may the last argument,
    // a buffer.
    @safe struct Product {
      let call:
        @convention(c) (
          LaneOutputs, LaneInputs, LaneInputs, LaneInputs, LaneInputs?, UnsafeMutablePointer<UInt8>?
        ) -> UInt32
    }

    @safe struct BaseProduct {
      let call:
        @convention(c) (
          LaneOutputs, LaneOutputs, LaneOutputs?, LaneInputs, UnsafeMutablePointer<UInt8>?
        ) -> UInt32
    }

    private static let size = P256.privateKeySize

    private static func sharedSecrets(
      by function: Product, privateKeys: Span<UInt8>, points: ArraySlice<[UInt8]>,
      comparing compared: Range<Int>
    ) -> Secret? {
      let scalars = Secret(reversing: privateKeys, size: size)
      let x = points.flatMap { $0[1..<1 + size].reversed() }
      let y = points.flatMap { $0[(1 + size)...].reversed() }
      // The coordinate comes big endian.
      let answers = unsafe LaneAnswers(size: size) { secrets in
        unsafe scalars.exposedBytes.withLanes(size: size) { scalars in
          unsafe x.span.withLanes(size: size) { x in
            unsafe y.span.withLanes(size: size) { y in unsafe function.call(secrets, scalars, x, y, nil, nil)
            }
          }
        }
      }
      return answers.checked(count: points.count, comparing: compared) { lane in
        let point = points[points.startIndex + lane]
        return OpenSSLP256.sharedSecret(
          privateKey: privateKeys.item(lane, size: size), publicKey: point.span)
      }
    }

    /// The public keys of private keys, each as x, y, both little endian.
    private static func coordinates(
      of privateKeys: Span<UInt8>, by function: BaseProduct, comparing compared: Range<Int>
    ) -> Secret? {
      let scalars = Secret(reversing: privateKeys, size: size)
      let answers = unsafe LaneAnswers(size: 2 * size) { x in
        unsafe withLaneAddresses({ unsafe x.start(of: $0) + size }) { y in
          unsafe scalars.exposedBytes.withLanes(size: size) { unsafe function.call(x, y, nil, $0, nil) }
        }
      }
      return answers.checked(count: privateKeys.count / size, comparing: compared) { lane in
        guard let key = OpenSSLP256.publicKey(of: privateKeys.item(lane, size: size)) else { return nil }
        return Secret(reversing: key.span.extracting(1...), size: size)
      }
    }
  }

  extension Secret {
    /// Copies concatenated items of `size` bytes, each in reverse.
    fileprivate init(reversing items: Span<UInt8>, size: Int) {
      self.init(count: items.count) { copy in
        for index in items.indices { copy[index] = items[index / size * size + size - 1 - index % size] }
      }
    }
  }
#endif
