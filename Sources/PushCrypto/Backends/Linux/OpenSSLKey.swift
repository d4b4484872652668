internal import COpenSSL

/// A key of OpenSSL's on its way from PEM, freed at the end of its life, and wiped by the library.
@safe
struct OpenSSLKey: ~Copyable {
  /// The key, for calls made while this value lives.
  let pointer: OpaquePointer

  /// Reads PKCS#8; null unless it is that and no more.
  init?(_ block: borrowing PEMBlock) {
    var place = unsafe block.contents.baseAddress
    let count = unsafe block.contents.count
    guard let info = unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &place, count) else { return nil }
    defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }  // wipes the key
    guard unsafe place == block.contents.baseAddress.map({ unsafe $0 + count }),
      let key = unsafe EVP_PKCS82PKEY(info)
    else { return nil }
    unsafe pointer = unsafe key
  }

  deinit { unsafe EVP_PKEY_free(pointer) }

  /// What it is of; null for a kind that has no use here.
  var kind: PEM.Kind? {
    if unsafe EVP_PKEY_is_a(pointer, "X25519") == 1 { return .x25519 }
    if unsafe EVP_PKEY_is_a(pointer, "ED25519") == 1 { return .ed25519 }
    guard unsafe EVP_PKEY_is_a(pointer, "EC") == 1 else { return nil }
    var name = [CChar](repeating: 0, count: 32)
    var count = 0
    guard unsafe EVP_PKEY_get_group_name(pointer, &name, name.count, &count) == 1 else { return nil }
    return name.prefix(count).elementsEqual("prime256v1".utf8.lazy.map { CChar($0) }) ? .p256 : nil
  }

  /// Whether the public key of P-256 that came with it is that of `privateKey`; keys of other kinds come alone.
  ///
  /// OpenSSL's own check needs algorithms that its configuration can leave out.
  func isPair(with privateKey: Span<UInt8>) -> Bool {
    var start: UnsafeMutablePointer<UInt8>?
    let count = unsafe EVP_PKEY_get1_encoded_public_key(pointer, &start)
    defer { unsafe CRYPTO_free(start, #file, #line) }
    let point = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    return point == (try? P256.publicKey(of: privateKey))
  }

  /// The private key, 32 bytes; null if it has another length.
  func secret(_ kind: PEM.Kind) -> Secret? {
    var isRead = false
    let secret = Secret(count: Self.size) { bytes in
      isRead = unsafe bytes.withPointer { bytes, count in
        unsafe kind == .p256 ? number(into: bytes, count) : rawKey(into: bytes, count)
      }
    }
    guard isRead else { return nil }
    return secret
  }

  /// The length of each kind's private key, in bytes.
  private static let size = 32

  @unsafe private func rawKey(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    var written = count
    return unsafe EVP_PKEY_get_raw_private_key(pointer, bytes, &written) == 1 && written == count
  }

  @unsafe private func number(into bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Bool {
    var number: OpaquePointer?
    guard unsafe EVP_PKEY_get_bn_param(pointer, OSSL_PKEY_PARAM_PRIV_KEY, &number) == 1 else { return false }
    defer { unsafe BN_clear_free(number) }
    return unsafe BN_bn2binpad(number, bytes, CInt(count)) == count
  }
}
