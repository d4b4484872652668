internal import COpenSSL

/// The map from the points of Ed25519 to those of X25519 (RFC 7748, 4.1).
///
/// For public points alone: its time depends on them.
enum OpenSSLBirationalMap {
  /// The u coordinate, 32 bytes, of the point whose encoding has this y; null for y = 1, or without memory.
  static func u(ofPoint point: Span<UInt8>) -> [UInt8]? {
    guard let field = unsafe field, let scratch = unsafe BN_CTX_new() else { return nil }
    unsafe BN_CTX_start(scratch)
    defer {
      unsafe BN_CTX_end(scratch)
      unsafe BN_CTX_free(scratch)
    }
    var y = [UInt8](copying: point)
    y[31] &= 0x7f  // RFC 8032, 5.1.2: the top bit is x's
    // BN_CTX_get gives null for good after its first failure.
    guard let sum = unsafe BN_CTX_get(scratch), let difference = unsafe BN_CTX_get(scratch),
      let u = unsafe BN_CTX_get(scratch), unsafe BN_lebin2bn(y, CInt(y.count), u) != nil,
      unsafe BN_add(sum, u, BN_value_one()) == 1,
      unsafe BN_mod_sub(difference, BN_value_one(), u, field.prime, scratch) == 1,
      unsafe BN_is_zero(difference) == 0,
      // u = (1 + y) / (1 - y), by Fermat: d^-1 = d^(p - 2)
      unsafe BN_mod_exp_mont(u, difference, field.exponent, field.prime, scratch, field.form) == 1,
      unsafe BN_mod_mul(u, u, sum, field.prime, scratch) == 1
    else { return nil }
    let written = unsafe BN_bn2lebinpad(u, &y, CInt(y.count))
    return written == y.count ? y : nil
  }

  /// Numbers that are only read.
  @unsafe
  private struct Field {
    /// p = 2^255 - 19.
    let prime: OpaquePointer
    /// p - 2.
    let exponent: OpaquePointer
    /// What multiplication modulo p is prepared with.
    let form: OpaquePointer

    init?() {
      let bytes = LittleEndian.fieldPrime
      guard let prime = unsafe BN_lebin2bn(bytes, CInt(bytes.count), nil),
        let exponent = unsafe BN_dup(prime), unsafe BN_sub_word(exponent, 2) == 1,
        let form = unsafe BN_MONT_CTX_new(), let scratch = unsafe BN_CTX_new()
      else { return nil }
      defer { unsafe BN_CTX_free(scratch) }
      guard unsafe BN_MONT_CTX_set(form, prime, scratch) == 1 else { return nil }
      unsafe self.prime = unsafe prime
      unsafe self.exponent = unsafe exponent
      unsafe self.form = unsafe form
    }
  }

  nonisolated(unsafe) private static let field = unsafe Field()
}
