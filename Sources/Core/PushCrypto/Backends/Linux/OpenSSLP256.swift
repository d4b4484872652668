#if !canImport(CryptoKit)
  internal import COpenSSL

  /// P-256 from OpenSSL's curve arithmetic, which is constant-time for scalars of full length.
  ///
  /// ``P256`` has checked the lengths. `nil` means that a point or a scalar is invalid, or that memory ran out.
  enum OpenSSLP256 {
    static func isPoint(_ publicKey: Span<UInt8>) -> Bool {
      OpenSSL.keepingErrors {
        guard let arithmetic = P256Arithmetic() else { return false }
        return arithmetic.setPoint(publicKey)
      }
    }

    static func publicKey(of privateKey: Span<UInt8>) -> [UInt8]? {
      OpenSSL.keepingErrors {
        guard let arithmetic = P256Arithmetic(), arithmetic.setScalar(privateKey) else { return nil }
        return arithmetic.multiplyBasePoint()
      }
    }

    static func sharedSecret(privateKey: Span<UInt8>, publicKey: Span<UInt8>) -> Secret? {
      OpenSSL.keepingErrors {
        guard let arithmetic = P256Arithmetic(), arithmetic.setScalar(privateKey),
          arithmetic.setPoint(publicKey)
        else { return nil }
        return arithmetic.multiplyPoint()
      }
    }
  }

  /// A computation on the curve: a scalar, a point and their product, wiped and freed together.
  @safe
  private struct P256Arithmetic: ~Copyable {
    private let group: OpaquePointer
    private let scratch: OpaquePointer
    private let scalar: OpaquePointer
    private let point: OpaquePointer

    /// The curve's parameters, which are read-only.
    nonisolated(unsafe) private static let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)

    init?() {
      guard OpenSSL.start(), let group = unsafe Self.group else { return nil }
      guard let scratch = unsafe BN_CTX_new() else { return nil }
      guard let scalar = unsafe BN_new() else {
        unsafe BN_CTX_free(scratch)
        return nil
      }
      guard let point = unsafe EC_POINT_new(group) else {
        unsafe BN_clear_free(scalar)
        unsafe BN_CTX_free(scratch)
        return nil
      }
      unsafe BN_set_flags(scalar, BN_FLG_CONSTTIME)
      unsafe self.group = unsafe group
      unsafe self.scratch = unsafe scratch
      unsafe self.scalar = unsafe scalar
      unsafe self.point = unsafe point
    }

    deinit {
      unsafe EC_POINT_clear_free(point)
      unsafe BN_clear_free(scalar)
      unsafe BN_CTX_free(scratch)  // clears the numbers that it lent
    }

    /// Reads a scalar from 1 to the order - 1.
    func setScalar(_ bytes: Span<UInt8>) -> Bool {
      unsafe bytes.withPointer { bytes, count in unsafe BN_bin2bn(bytes, CInt(count), scalar) } != nil
        && BN_is_zero(scalar) == 0 && BN_cmp(scalar, EC_GROUP_get0_order(group)) < 0
    }

    /// Reads a point.
    ///
    /// OpenSSL checks that the point is on the curve and that its coordinates are below p.
    func setPoint(_ bytes: Span<UInt8>) -> Bool {
      unsafe bytes.withPointer { bytes, count in
        unsafe EC_POINT_oct2point(group, point, bytes, count, scratch)
      } == 1
    }

    /// The product of the scalar and the base point, as 0x04 | x | y.
    func multiplyBasePoint() -> [UInt8]? {
      guard unsafe EC_POINT_mul(group, point, scalar, nil, nil, scratch) == 1 else { return nil }
      var bytes = [UInt8](repeating: 0, count: P256.publicKeySize)
      let written = unsafe EC_POINT_point2oct(
        group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, scratch)
      return written == bytes.count ? bytes : nil
    }

    /// The x coordinate of the product of the scalar and the point, 32 bytes.
    func multiplyPoint() -> Secret? {
      guard unsafe EC_POINT_mul(group, point, nil, point, scalar, scratch) == 1,
        let x = unsafe BN_new()
      else { return nil }
      defer { unsafe BN_clear_free(x) }
      guard unsafe EC_POINT_get_affine_coordinates(group, point, x, nil, scratch) == 1 else { return nil }
      var written: CInt = -1
      let secret = Secret(count: P256.privateKeySize) { output in
        written = unsafe output.withPointer { output, count in unsafe BN_bn2binpad(x, output, CInt(count)) }
      }
      guard written == P256.privateKeySize else { return nil }
      return secret
    }
  }
#endif
