import BareOpenSSL

/// X-Wing's arithmetic: ML-KEM-768 and SHA3-256 from OpenSSL 3.5 or later, X25519 from libsodium.
///
/// Keys are read once, and their contexts made once.
final class BareXWing {
  private let curve: BareX25519
  private let encapsulation: OpaquePointer
  private let decapsulation: OpaquePointer
  private let hash: OpaquePointer
  private let sha3: OpaquePointer
  private let privateKey = [UInt8](repeating: 0x42, count: 32)
  private var peerKey = [UInt8](repeating: 0, count: 32)
  private var ephemeralKey = [UInt8](repeating: 0, count: 32)
  private var ciphertext = [UInt8](repeating: 0, count: 1088)
  private var secretM = [UInt8](repeating: 0, count: 32)
  private var secretX = [UInt8](repeating: 0, count: 32)

  /// What is allocated here lives as long as the process.
  init() throws {
    curve = try BareX25519()
    guard let generation = EVP_PKEY_CTX_new_from_name(nil, "ML-KEM-768", nil),
      EVP_PKEY_keygen_init(generation) == 1
    else { throw BenchmarkError.primitiveFailed }
    var key: OpaquePointer?
    guard EVP_PKEY_generate(generation, &key) == 1, let key,
      let encapsulation = EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
      let decapsulation = EVP_PKEY_CTX_new_from_pkey(nil, key, nil),
      EVP_PKEY_encapsulate_init(encapsulation, nil) == 1,
      EVP_PKEY_decapsulate_init(decapsulation, nil) == 1, let hash = EVP_MD_CTX_new(),
      let sha3 = EVP_MD_fetch(nil, "SHA3-256", nil)
    else { throw BenchmarkError.primitiveFailed }
    (self.encapsulation, self.decapsulation) = (encapsulation, decapsulation)
    (self.hash, self.sha3) = (hash, sha3)
    try curve.multiplyBasePoint([UInt8](repeating: 0x17, count: 32), into: &peerKey)
  }

  /// Encapsulate(pk): an ephemeral key of each kind.
  func encapsulate(into secret: inout [UInt8]) throws {
    try curve.multiplyBasePoint(privateKey, into: &ephemeralKey)
    try curve.multiply(peerKey, by: privateKey, into: &secretX)
    var (size, secretSize) = (ciphertext.count, secretM.count)
    guard EVP_PKEY_encapsulate(encapsulation, &ciphertext, &size, &secretM, &secretSize) == 1 else {
      throw BenchmarkError.primitiveFailed
    }
    try combine(into: &secret)
  }

  /// Decapsulate(ct, sk), with an expanded key.
  func decapsulate(into secret: inout [UInt8]) throws {
    try curve.multiply(peerKey, by: privateKey, into: &secretX)
    var size = secretM.count
    guard EVP_PKEY_decapsulate(decapsulation, &secretM, &size, ciphertext, ciphertext.count) == 1 else {
      throw BenchmarkError.primitiveFailed
    }
    try combine(into: &secret)
  }

  /// SHA3-256 of both secrets, the ephemeral key, the peer's key and a label of six characters.
  private func combine(into secret: inout [UInt8]) throws {
    guard EVP_DigestInit_ex(hash, sha3, nil) == 1 else { throw BenchmarkError.primitiveFailed }
    for part in [secretM, secretX, ephemeralKey, peerKey, [0x5c, 0x2e, 0x2f, 0x2f, 0x5e, 0x5c]] {
      EVP_DigestUpdate(hash, part, part.count)
    }
    EVP_DigestFinal_ex(hash, &secret, nil)
    blackHole(secret)
  }
}
