internal import COpenSSL

/// The field of the integers modulo p = 2^255 - 19: numbers that are only read.
@safe
struct OpenSSLField: @unchecked Sendable {
  /// p.
  let prime: OpaquePointer

  /// What multiplication modulo p is prepared with, in Montgomery's form.
  let form: OpaquePointer

  /// Null without memory.
  static let shared = OpenSSLField()

  private init?() {
    let bytes = LittleEndian.fieldPrime
    guard OpenSSL.start(), let prime = unsafe BN_lebin2bn(bytes, CInt(bytes.count), nil),
      let form = unsafe BN_MONT_CTX_new(), let scratch = unsafe BN_CTX_new()
    else { return nil }
    defer { unsafe BN_CTX_free(scratch) }
    guard unsafe BN_MONT_CTX_set(form, prime, scratch) == 1 else { return nil }
    unsafe self.prime = unsafe prime
    unsafe self.form = unsafe form
  }
}
