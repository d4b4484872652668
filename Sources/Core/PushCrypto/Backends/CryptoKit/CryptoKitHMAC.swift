#if canImport(CryptoKit)
  internal import CryptoKit

  /// HMAC with SHA-256 from CryptoKit.
  @safe
  final class CryptoKitHMAC {
    private typealias Function = CryptoKit.HMAC<CryptoKit.SHA256>

    private var function = Function(key: SymmetricKey(data: zeros))
    private var keyed = Function(key: SymmetricKey(data: zeros))
    /// The last code.
    private let code = UnsafeMutableRawBufferPointer.allocate(byteCount: HMACSHA256.codeSize, alignment: 1)

    deinit {
      unsafe Wiping.wipe(code)
      unsafe code.deallocate()
    }

    /// Sets the key, of any length.
    func setKey(_ key: Span<UInt8>) {
      // RFC 2104, 2: a key is padded with zeros.
      keyed = Function(key: key.isEmpty ? SymmetricKey(data: Self.zeros) : SymmetricKey(copying: key))
    }

    /// Makes the last code the key.
    func setKeyToCode() { unsafe keyed = Function(key: SymmetricKey(data: code)) }

    /// Starts a code under the key.
    func start() { function = keyed }

    /// Adds `count` bytes.
    @unsafe func update(_ bytes: UnsafePointer<UInt8>, count: Int) {
      unsafe function.update(data: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    /// Ends the code, and returns its address, which is valid until the next code ends.
    @unsafe func finish() -> UnsafePointer<UInt8> {
      unsafe function.finalize().withUnsafeBytes { bytes in
        unsafe precondition(bytes.count == code.count, "a code has 32 bytes")
        unsafe code.copyMemory(from: bytes)
      }
      guard let start = unsafe code.baseAddress else { preconditionFailure("a code has 32 bytes") }
      return unsafe UnsafePointer(start.assumingMemoryBound(to: UInt8.self))
    }

    private static let zeros = [UInt8](repeating: 0, count: HMACSHA256.codeSize)
  }
#endif
