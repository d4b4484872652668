private import CTLS

extension ProviderKey {
  /// Makes a team's key for a test that has no key from Apple: the key to verify tokens with, and the text of a `.p8`
  /// file to sign them with.
  ///
  /// The IDs are ten uppercase letters and digits.
  public static func generate(
    keyID: String = "ABCDE12345", teamID: String = "FGHIJ67890"
  ) -> (key: ProviderKey, p8: [UInt8]) {
    guard let pair = unsafe tls_generate_p256() else { preconditionFailure("OpenSSL has P-256") }
    defer { unsafe EVP_PKEY_free(pair) }
    let key = ProviderKey(keyID: keyID, teamID: teamID, point: unsafe point(of: pair))
    return (key, unsafe p8(of: pair))
  }

  private static func point(of pair: OpaquePointer) -> [UInt8] {
    var (point, size) = ([UInt8](repeating: 0, count: 65), 0)
    let status = unsafe EVP_PKEY_get_octet_string_param(pair, "pub", &point, point.count, &size)
    precondition(status == 1 && size == point.count, "a new key has its point")
    return point
  }

  private static func p8(of pair: OpaquePointer) -> [UInt8] {
    guard let text = unsafe BIO_new(BIO_s_mem()) else { preconditionFailure("there is no memory") }
    defer { unsafe BIO_free(text) }
    let status = unsafe PEM_write_bio_PKCS8PrivateKey(text, pair, nil, nil, 0, nil, nil)
    precondition(status == 1, "a new key can be written")
    var bytes: UnsafeMutablePointer<CChar>?
    let count = unsafe tls_memory(text, &bytes)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
