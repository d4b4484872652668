#if !canImport(CryptoKit)
  internal import COpenSSL
  internal import CSodium

  /// HMAC with SHA-256 (RFC 2104), composed of OpenSSL's SHA-256.
  ///
  /// OpenSSL's own HMAC allocates memory for each key and each code, which takes longer than computing the code. This
  /// class allocates its memory once, and wipes it at the end.
  @safe
  final class OpenSSLHMAC {
    /// The length of SHA-256's blocks (B), in bytes.
    private static let blockSize = Int(SHA256_CBLOCK)

    /// The digest that is computed.
    private let digest: UnsafeMutablePointer<SHA256_CTX>
    /// K XOR ipad, a block.
    private let innerPad: UnsafeMutablePointer<UInt8>
    /// K XOR opad, a block.
    private let outerPad: UnsafeMutablePointer<UInt8>
    /// The last code.
    private let code: UnsafeMutablePointer<UInt8>

    private static let digestSize = MemoryLayout<SHA256_CTX>.size
    private static let size = digestSize + 2 * blockSize + HMACSHA256.codeSize

    init() {
      guard let memory = unsafe calloc(1, Self.size) else { preconditionFailure("memory ran out") }
      unsafe digest = memory.bindMemory(to: SHA256_CTX.self, capacity: 1)
      let rest = unsafe memory + Self.digestSize
      unsafe innerPad = rest.bindMemory(to: UInt8.self, capacity: Self.size - Self.digestSize)
      unsafe outerPad = innerPad + Self.blockSize
      unsafe code = outerPad + Self.blockSize
    }

    deinit {
      unsafe sodium_memzero(digest, Self.size)
      unsafe free(digest)
    }

    /// Sets the key (K), of any length.
    func setKey(_ key: Span<UInt8>) {
      unsafe key.withPointer { key, count in unsafe setKey(key, count: count) }
    }

    /// Makes the last code the key.
    func setKeyToCode() { unsafe setKey(code, count: HMACSHA256.codeSize) }

    /// Starts a code under the key.
    func start() {
      // H(K XOR ipad, …
      beginDigest()
      unsafe update(innerPad, count: Self.blockSize)
    }

    /// Adds `count` bytes.
    @unsafe func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
      // … text)
      precondition(unsafe SHA256_Update(digest, bytes, count) == 1, "SHA-256 takes any bytes")
    }

    /// Ends the code, and returns its address, which is valid until the next code ends.
    @unsafe func finish() -> UnsafePointer<UInt8> {
      unsafe endDigest(into: code)
      // H(K XOR opad, H(K XOR ipad, text))
      beginDigest()
      unsafe update(outerPad, count: Self.blockSize)
      unsafe update(code, count: HMACSHA256.codeSize)
      unsafe endDigest(into: code)
      return unsafe UnsafePointer(code)
    }

    @unsafe private func setKey(_ key: UnsafePointer<UInt8>, count: Int) {
      // RFC 2104, 2: a key longer than a block is replaced by its digest, and zeros fill the block.
      unsafe innerPad.update(repeating: 0, count: Self.blockSize)
      if count > Self.blockSize {
        beginDigest()
        unsafe update(key, count: count)
        unsafe endDigest(into: innerPad)
      } else {
        unsafe innerPad.update(from: key, count: count)
      }
      for index in 0..<Self.blockSize {
        unsafe outerPad[index] = innerPad[index] ^ 0x5c  // opad
        unsafe innerPad[index] ^= 0x36  // ipad
      }
    }

    private func beginDigest() {
      precondition(unsafe SHA256_Init(digest) == 1, "SHA-256 begins")
    }

    @unsafe private func endDigest(into output: UnsafeMutablePointer<UInt8>) {
      precondition(unsafe SHA256_Final(output, digest) == 1, "SHA-256 ends")
    }
  }
#endif
