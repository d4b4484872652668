internal import COpenSSL

/// Private keys in PEM, by OpenSSL's own decoders.
///
/// What was made here of secret bytes is wiped; what the library makes for itself meanwhile is the library's to wipe.
enum OpenSSLPEM {
  static func readPrivateKey(_ text: Span<UInt8>) throws(PEMError) -> PEM.PrivateKey {
    defer { ERR_clear_error() }
    let block = try privateBlock(text)
    guard !block.isEncrypted else { throw .encrypted }
    guard block.name == "PRIVATE KEY" else { throw .notPKCS8 }
    guard let key = OpenSSLKey(block) else { throw .malformed }
    guard let kind = key.kind else { throw .unsupported }
    guard let secret = key.secret(kind) else { throw .malformed }
    guard kind != .p256 || key.isPair(with: secret.exposedBytes) else { throw .mismatch }
    return PEM.PrivateKey(kind: kind, secret: secret)
  }

  /// The one block with a private key, among certificates, parameters and public keys.
  private static func privateBlock(_ text: Span<UInt8>) throws(PEMError) -> PEMBlock {
    var position = 0
    var found: Int?
    while let block = PEMBlock(text, at: position) {
      if block.isPrivateKey {
        guard found == nil else { throw .notOneKey }
        found = position
      }
      position += 1
    }
    guard position > 0 else { throw .malformed }
    guard let found else { throw .notPrivate }
    guard let block = PEMBlock(text, at: found) else { throw .malformed }
    return block
  }
}

/// A block of a PEM text, wiped and freed at the end of its life.
@safe
struct PEMBlock: ~Copyable {
  /// What its first line says that it is.
  let name: String

  /// Whether it is under a password.
  let isEncrypted: Bool

  /// What it holds, in DER.
  let contents: UnsafeBufferPointer<UInt8>

  /// Whether its first line says that it is a private key, in whatever form.
  var isPrivateKey: Bool { name.hasSuffix("PRIVATE KEY") }

  /// Reads the block that so many others stand before; null if there is none.
  init?(_ text: Span<UInt8>, at position: Int) {
    var name: UnsafeMutablePointer<CChar>?
    var header: UnsafeMutablePointer<CChar>?
    var data: UnsafeMutablePointer<UInt8>?
    var count = 0
    let isThere = unsafe text.withPointer { text, size in
      guard let input = unsafe BIO_new_mem_buf(text, CInt(size)) else { return false }
      defer { unsafe BIO_free(input) }
      for index in 0...position {
        if index > 0 { unsafe Self.free(name, header, data, count) }
        let code = unsafe PEM_read_bio_ex(input, &name, &header, &data, &count, UInt32(PEM_FLAG_SECURE))
        guard code == 1 else { return false }
      }
      return true
    }
    guard isThere, let name = unsafe name, let header = unsafe header, let data = unsafe data else {
      return nil
    }
    self.name = unsafe String(cString: name)
    isEncrypted =
      unsafe self.name == "ENCRYPTED PRIVATE KEY" || String(cString: header).contains("ENCRYPTED")
    unsafe contents = UnsafeBufferPointer(start: data, count: count)
    unsafe Self.free(name, header, nil, 0)
  }

  deinit { unsafe Self.free(nil, nil, UnsafeMutablePointer(mutating: contents.baseAddress), contents.count) }

  private static func free(
    _ name: UnsafeMutablePointer<CChar>?, _ header: UnsafeMutablePointer<CChar>?,
    _ data: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) {
    unsafe CRYPTO_secure_free(name, #file, #line)
    unsafe CRYPTO_secure_free(header, #file, #line)
    unsafe CRYPTO_secure_clear_free(data, count, #file, #line)
  }
}
