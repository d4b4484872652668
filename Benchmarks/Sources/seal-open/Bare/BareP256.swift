import BareOpenSSL

/// P-256's arithmetic from OpenSSL, with everything allocated once.
final class BareP256 {
  private let group: OpaquePointer
  private let scratch: OpaquePointer
  private let scalar: OpaquePointer
  private let point: OpaquePointer
  private let x: OpaquePointer

  /// What is allocated here lives as long as the process.
  init() throws {
    guard let group = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1), let scratch = BN_CTX_new(),
      let scalar = BN_new(), let point = EC_POINT_new(group), let x = BN_new()
    else { throw BenchmarkError.primitiveFailed }
    BN_set_flags(scalar, BN_FLG_CONSTTIME)
    (self.group, self.scratch, self.scalar, self.point, self.x) = (group, scratch, scalar, point, x)
  }

  func multiplyBasePoint(_ privateKey: [UInt8], into publicKey: inout [UInt8]) throws {
    guard BN_bin2bn(privateKey, CInt(privateKey.count), scalar) != nil,
      EC_POINT_mul(group, point, scalar, nil, nil, scratch) == 1,
      EC_POINT_point2oct(
        group, point, POINT_CONVERSION_UNCOMPRESSED, &publicKey, publicKey.count, scratch) == publicKey.count
    else { throw BenchmarkError.primitiveFailed }
  }

  func multiply(_ publicKey: [UInt8], by privateKey: [UInt8], into secret: inout [UInt8]) throws {
    guard BN_bin2bn(privateKey, CInt(privateKey.count), scalar) != nil,
      EC_POINT_oct2point(group, point, publicKey, publicKey.count, scratch) == 1,
      EC_POINT_mul(group, point, nil, point, scalar, scratch) == 1,
      EC_POINT_get_affine_coordinates(group, point, x, nil, scratch) == 1,
      BN_bn2binpad(x, &secret, CInt(secret.count)) == secret.count
    else { throw BenchmarkError.primitiveFailed }
  }
}
