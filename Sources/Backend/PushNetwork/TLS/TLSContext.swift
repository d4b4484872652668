internal import CTLS

/// The TLS settings of all connections of a client or a server: versions, ciphers, and roots or an identity.
///
/// TLS 1.2 and 1.3 with the ciphers that HTTP/2 allows (RFC 9113, 9.2.2). A client always verifies the server's
/// certificate and name; nothing turns that off.
@safe
package final class TLSContext: @unchecked Sendable {
  /// A version of TLS.
  package enum Version: Sendable, CaseIterable { case tls12, tls13 }

  let handle: OpaquePointer
  private let identity: TLSIdentity?

  /// Makes a client's context.
  package convenience init(
    trusting roots: TLSRoots, versions: [Version] = Version.allCases
  ) {
    unsafe self.init(method: TLS_client_method(), versions: versions, identity: nil)
    TLSErrors.kept {
      unsafe SSL_CTX_set_verify(handle, SSL_VERIFY_PEER, nil)
      unsafe SSL_CTX_set_default_verify_paths(handle)
      for certificate in X509Certificate.all(in: roots.added) {
        unsafe X509_STORE_add_cert(SSL_CTX_get_cert_store(handle), certificate.handle)
      }
      // The offered protocols, each after its length.
      let protocols = [2] + Array("h2".utf8)
      unsafe SSL_CTX_set_alpn_protos(handle, protocols, CUnsignedInt(protocols.count))
    }
  }

  /// Makes a server's context.
  ///
  /// - Parameter offersHTTP2: Whether the server chooses `h2` if a client offers it; false only in tests.
  package convenience init(
    identity: TLSIdentity, versions: [Version] = Version.allCases, offersHTTP2: Bool = true
  ) {
    unsafe self.init(method: TLS_server_method(), versions: versions, identity: identity)
    TLSErrors.kept {
      unsafe SSL_CTX_use_certificate(handle, identity.chain[0].handle)
      for certificate in identity.chain.dropFirst() {
        unsafe tls_add_chain_certificate(handle, certificate.handle)
      }
      unsafe SSL_CTX_use_PrivateKey(handle, identity.key.handle)
      if offersHTTP2 { unsafe SSL_CTX_set_alpn_select_cb(handle, Self.chooseHTTP2, nil) }
    }
  }

  private init(method: OpaquePointer?, versions: [Version], identity: TLSIdentity?) {
    let handle = unsafe TLSErrors.kept { unsafe SSL_CTX_new(method) }
    guard let handle = unsafe handle else { preconditionFailure("OpenSSL has TLS") }
    unsafe self.handle = handle
    self.identity = identity
    TLSErrors.kept {
      unsafe tls_set_modes(handle)
      let bounds = versions.map { $0 == .tls12 ? TLS1_2_VERSION : TLS1_3_VERSION }
      let ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20"
      guard let lowest = bounds.min(), let highest = bounds.max(),
        unsafe tls_set_versions(handle, lowest, highest) == 1,
        unsafe SSL_CTX_set_cipher_list(handle, ciphers) == 1
      else { preconditionFailure("OpenSSL has these versions and ciphers") }
    }
  }

  deinit { unsafe SSL_CTX_free(handle) }

  private static let chooseHTTP2: SSL_CTX_alpn_select_cb_func = { _, output, outputSize, offered, size, _ in
    var position: CUnsignedInt = 0
    guard let offered = unsafe offered else { return SSL_TLSEXT_ERR_ALERT_FATAL }
    while position < size {
      let count = unsafe CUnsignedInt(offered[Int(position)])
      let name = unsafe offered + Int(position) + 1
      if count == 2, position + 2 < size, unsafe name[0] == UInt8(ascii: "h"),
        unsafe name[1] == UInt8(ascii: "2")
      {
        unsafe output?.pointee = name
        unsafe outputSize?.pointee = 2
        return SSL_TLSEXT_ERR_OK
      }
      position += count + 1
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
  }
}
