#if canImport(CryptoKit)
  internal import CryptoKit

  /// HMAC with SHA-256 from CryptoKit.
  final class CryptoKitHMAC: HMACState {
    private typealias Function = HMAC<CryptoKit.SHA256>

    private var function = Function(key: SymmetricKey(data: zeros))
    private var keyed = Function(key: SymmetricKey(data: zeros))

    func start(key: Span<UInt8>) {
      // RFC 2104, 2: a key is padded with zeros.
      let key = key.isEmpty ? SymmetricKey(data: Self.zeros) : SymmetricKey(copying: key)
      keyed = Function(key: key)
      restart()
    }

    func restart() { function = keyed }

    @unsafe func update(_ bytes: UnsafePointer<UInt8>, _ count: Int) {
      unsafe function.update(data: UnsafeRawBufferPointer(start: bytes, count: count))
    }

    @unsafe func finish(into code: UnsafeMutablePointer<UInt8>) {
      let size = HMACSHA256.codeSize
      unsafe function.finalize().withUnsafeBytes { bytes in
        precondition(bytes.count == size, "a code has 32 bytes")
        unsafe UnsafeMutableRawBufferPointer(start: code, count: size).copyMemory(from: bytes)
      }
    }

    private static let zeros = [UInt8](repeating: 0, count: HMACSHA256.codeSize)
  }
#endif
