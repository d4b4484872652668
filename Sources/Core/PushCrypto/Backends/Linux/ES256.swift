#if !canImport(CryptoKit)
  internal import COpenSSL

  /// ECDSA on P-256 with SHA-256 (FIPS 186-5, JWS's ES256) and the deterministic nonce of RFC 6979.
  ///
  /// The same key and message make the same signature on every machine. OpenSSL 3.0 has no such nonce, so the signature is
  /// computed here with OpenSSL's arithmetic.
  package enum ES256 {
    /// The length of a signature, in bytes: r, then s.
    package static let signatureSize = 64

    /// Signs a message.
    ///
    /// - Throws: ``CryptoError/invalidPrivateKey``; ``CryptoError/unavailable`` if memory ran out.
    package static func sign(
      _ message: Span<UInt8>, with privateKey: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
      _ = try P256.publicKey(of: privateKey)  // checks the range
      let signature = OpenSSL.keepingErrors { () -> [UInt8]? in
        guard let scalars = P256Scalars(privateKey: privateKey) else { return nil }
        return scalars.sign(SHA256.digest(message), with: privateKey)
      }
      guard let signature else { throw .unavailable }
      return signature
    }
  }

  /// Numbers modulo the order of P-256's base point, wiped and freed together.
  @safe
  private struct P256Scalars: ~Copyable {
    private let group: OpaquePointer
    private let order: OpaquePointer
    private let scratch: OpaquePointer
    private let key: OpaquePointer

    init?(privateKey: Span<UInt8>) {
      guard OpenSSL.start(), let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1) else {
        return nil
      }
      guard let scratch = unsafe BN_CTX_secure_new(), let key = unsafe Self.number(from: privateKey) else {
        unsafe EC_GROUP_free(group)
        return nil
      }
      unsafe self.group = unsafe group
      unsafe order = EC_GROUP_get0_order(group)
      unsafe self.scratch = unsafe scratch
      unsafe self.key = unsafe key
      unsafe BN_CTX_start(scratch)
    }

    deinit {
      unsafe BN_CTX_end(scratch)
      unsafe BN_CTX_free(scratch)  // clears the numbers that it lent
      unsafe BN_clear_free(key)
      unsafe EC_GROUP_free(group)
    }

    func sign(_ digest: [UInt8], with privateKey: Span<UInt8>) -> [UInt8]? {
      // RFC 6979, 2.3: the digest has as many bits as the order, and is less than twice the order.
      guard let z = unsafe lend(), unsafe BN_bin2bn(digest, CInt(digest.count), z) != nil,
        unsafe BN_nnmod(z, z, order, scratch) == 1, let reduced = unsafe bytes(of: z)
      else { return nil }
      let nonces = DeterministicNonces(privateKey: privateKey, reducedDigest: reduced.span)
      while true {
        guard let k = unsafe Self.number(from: nonces.next().span) else { return nil }
        defer { unsafe BN_clear_free(k) }
        guard unsafe BN_is_zero(k) == 0, unsafe BN_cmp(k, order) < 0 else { continue }
        guard let (r, s) = unsafe signature(z: z, k: k) else { return nil }
        guard unsafe BN_is_zero(r) == 0, unsafe BN_is_zero(s) == 0 else { continue }
        guard let r = unsafe bytes(of: r), let s = unsafe bytes(of: s) else { return nil }
        return r + s
      }
    }

    /// r = x(k G), s = (z + r d) / k, each modulo the order.
    ///
    /// A random factor b hides k and d from timing measurements: s = (b z + r b d) / (b k).
    @unsafe private func signature(z: OpaquePointer, k: OpaquePointer) -> (OpaquePointer, OpaquePointer)? {
      guard let point = unsafe EC_POINT_new(group) else { return nil }
      defer { unsafe EC_POINT_clear_free(point) }
      guard let r = unsafe lend(), let s = unsafe lend(), let b = unsafe lend(), let product = unsafe lend(),
        unsafe EC_POINT_mul(group, point, k, nil, nil, scratch) == 1,
        unsafe EC_POINT_get_affine_coordinates(group, point, r, nil, scratch) == 1,
        unsafe BN_nnmod(r, r, order, scratch) == 1,
        unsafe BN_priv_rand_range(b, order) == 1, unsafe BN_is_zero(b) == 0,
        unsafe BN_mod_mul(s, b, key, order, scratch) == 1,  // b d
        unsafe BN_mod_mul(s, s, r, order, scratch) == 1,  // r b d
        unsafe BN_mod_mul(product, b, z, order, scratch) == 1,  // b z
        unsafe BN_mod_add(s, s, product, order, scratch) == 1,
        unsafe BN_mod_mul(product, b, k, order, scratch) == 1,  // b k
        unsafe BN_mod_inverse(product, product, order, scratch) != nil,
        unsafe BN_mod_mul(s, s, product, order, scratch) == 1
      else { return nil }
      return unsafe (r, s)
    }

    private func lend() -> OpaquePointer? { unsafe BN_CTX_get(scratch) }

    private func bytes(of number: OpaquePointer) -> [UInt8]? {
      var bytes = [UInt8](repeating: 0, count: P256.privateKeySize)
      let count = unsafe BN_bn2binpad(number, &bytes, CInt(bytes.count))
      return Int(count) == bytes.count ? bytes : nil
    }

    private static func number(from bytes: Span<UInt8>) -> OpaquePointer? {
      let number = unsafe bytes.withPointer { bytes, count in unsafe BN_bin2bn(bytes, CInt(count), nil) }
      if let number = unsafe number { unsafe BN_set_flags(number, BN_FLG_CONSTTIME) }
      return unsafe number
    }
  }

  /// The candidates for the nonce (RFC 6979, 3.2); the first one below the order is used.
  private final class DeterministicNonces {
    private let hmac = HMACSHA256()
    private var key = [UInt8](repeating: 0, count: HMACSHA256.codeSize)  // step c
    private var value = [UInt8](repeating: 1, count: HMACSHA256.codeSize)  // step b
    private var isFirst = true

    init(privateKey: Span<UInt8>, reducedDigest: Span<UInt8>) {
      // Steps d to g: K = HMAC_K(V || 0x00 || x || h), V = HMAC_K(V), and again with 0x01.
      for byte: UInt8 in [0, 1] {
        hmac.start(key: key.span)
        hmac.update(value.span)
        hmac.update(byte)
        hmac.update(privateKey)
        hmac.update(reducedDigest)
        finish(into: &key)
        advance()
      }
    }

    deinit {
      key.wipe()
      value.wipe()
    }

    /// Step h: V = HMAC_K(V), which is as long as the order.
    ///
    /// After a candidate was refused, K and V are updated first.
    func next() -> [UInt8] {
      if !isFirst {
        hmac.start(key: key.span)
        hmac.update(value.span)
        hmac.update(0)
        finish(into: &key)
        advance()
      }
      isFirst = false
      advance()
      return value
    }

    private func advance() {
      hmac.start(key: key.span)
      hmac.update(value.span)
      finish(into: &value)
    }

    private func finish(into bytes: inout [UInt8]) {
      var span = bytes.mutableSpan
      hmac.finish(into: &span, at: 0)
    }
  }
#endif
