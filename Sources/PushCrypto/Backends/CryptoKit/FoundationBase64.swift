#if canImport(CryptoKit)
  internal import Foundation

  /// Base64 (RFC 4648, 4) from Foundation, for secrets on their way into a text.
  enum FoundationBase64 {
    /// The text, with padding, in an array that the caller wipes.
    static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
      let secret = Secret(copying: bytes)
      return unsafe secret.exposedBytes.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress else { return [] }
        let data = unsafe Data(
          bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
        var base64 = data.base64EncodedData()
        defer { base64.wipe() }
        return [UInt8](base64)
      }
    }
  }
#endif
