internal import CTLS

/// The trusted root certificates: the system's, and any that are added.
package struct TLSRoots: Sendable {
  /// The added certificates, in PEM.
  let added: [UInt8]

  /// Only the system's roots.
  package static let system = TLSRoots(added: [])

  /// The system's roots and the certificates in a PEM text.
  ///
  /// - Throws: ``TLSError/unreadable`` if the text has none.
  package static func system(adding pem: [UInt8]) throws(TLSError) -> TLSRoots {
    guard X509Certificate.all(in: pem).isEmpty == false else { throw .unreadable }
    return TLSRoots(added: pem)
  }
}

/// A server's certificates, its own first, and its private key.
package struct TLSIdentity: Sendable {
  let chain: [X509Certificate]
  let key: PrivateKeyHandle

  /// Reads certificates, the server's own first, and its unencrypted private key, in PEM.
  ///
  /// - Throws: ``TLSError/unreadable``.
  package init(chain: [UInt8], key: [UInt8]) throws(TLSError) {
    let chain = X509Certificate.all(in: chain)
    guard let first = chain.first, let key = PrivateKeyHandle(pem: key), key.belongs(to: first) else {
      throw .unreadable
    }
    self.init(chain: chain, key: key)
  }

  init(chain: [X509Certificate], key: PrivateKeyHandle) {
    self.chain = chain
    self.key = key
  }
}

/// An immutable certificate.
@safe
final class X509Certificate: @unchecked Sendable {
  let handle: OpaquePointer

  /// Takes ownership.
  @unsafe init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  deinit { unsafe X509_free(handle) }

  /// The certificates in a PEM text, up to the first malformed one.
  static func all(in pem: [UInt8]) -> [X509Certificate] {
    unsafe withReader(of: pem) { reader in
      var certificates: [X509Certificate] = []
      while let handle = unsafe PEM_read_bio_X509(reader, nil, nil, nil) {
        certificates.append(unsafe X509Certificate(owning: handle))
      }
      return certificates
    } ?? []
  }

  /// The certificate in PEM.
  var pem: [UInt8] { unsafe withWriter { bio in unsafe PEM_write_bio_X509(bio, handle) } }
}

/// An immutable private key, which OpenSSL wipes when it is freed.
@safe
package final class PrivateKeyHandle: @unchecked Sendable {
  let handle: OpaquePointer

  /// Takes ownership.
  @unsafe init(owning handle: OpaquePointer) { unsafe self.handle = handle }

  /// Makes a P-256 key.
  package static func generate() -> PrivateKeyHandle {
    TLSErrors.kept {
      guard let handle = unsafe tls_generate_p256() else { preconditionFailure("OpenSSL has P-256") }
      return unsafe PrivateKeyHandle(owning: handle)
    }
  }

  /// Reads an unencrypted key.
  convenience init?(pem: [UInt8]) {
    let handle = unsafe withReader(of: pem) { reader in
      // Without this, OpenSSL would ask a terminal for the password of an encrypted key.
      unsafe PEM_read_bio_PrivateKey(reader, nil, { _, _, _, _ in 0 }, nil)
    }
    guard let handle = unsafe handle else { return nil }
    unsafe self.init(owning: handle)
  }

  deinit { unsafe EVP_PKEY_free(handle) }

  /// The key in PEM, in PKCS #8 and not encrypted, as a `.p8` file has it.
  package var pem: [UInt8] {
    unsafe withWriter { bio in unsafe PEM_write_bio_PKCS8PrivateKey(bio, handle, nil, nil, 0, nil, nil) }
  }

  /// The public key of a P-256 key: an uncompressed point of 65 bytes.
  package var point: [UInt8] {
    var (point, size) = ([UInt8](repeating: 0, count: 65), 0)
    let status = unsafe EVP_PKEY_get_octet_string_param(handle, "pub", &point, point.count, &size)
    precondition(status == 1 && size == point.count, "a P-256 key has its point")
    return point
  }

  func belongs(to certificate: X509Certificate) -> Bool {
    TLSErrors.kept { unsafe X509_check_private_key(certificate.handle, handle) == 1 }
  }
}

/// Calls `read` with an OpenSSL reader of `bytes`, which is valid only during the call; nil if there are too many bytes
/// or none.
@unsafe private func withReader<Result>(of bytes: [UInt8], _ read: (OpaquePointer) -> Result?) -> Result? {
  TLSErrors.kept {
    unsafe bytes.withUnsafeBytes { bytes in
      guard let size = CInt(exactly: bytes.count), let bio = unsafe BIO_new_mem_buf(bytes.baseAddress, size)
      else {
        return nil
      }
      defer { unsafe BIO_free(bio) }
      return unsafe read(bio)
    }
  }
}

/// The bytes that `write`, which returns 1, has an OpenSSL writer take.
@unsafe private func withWriter(_ write: (OpaquePointer) -> CInt) -> [UInt8] {
  TLSErrors.kept {
    guard let bio = unsafe BIO_new(BIO_s_mem()) else { preconditionFailure("memory ran out") }
    defer { unsafe BIO_free(bio) }
    precondition(unsafe write(bio) == 1, "what OpenSSL has made has an encoding")
    var bytes: UnsafeMutablePointer<CChar>?
    let count = unsafe tls_memory(bio, &bytes)
    return unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }
}
