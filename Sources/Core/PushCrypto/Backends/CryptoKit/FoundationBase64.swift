#if canImport(CryptoKit)
  internal import Foundation

  /// Base64 (RFC 4648, 4) from Foundation, for encoding and decoding secrets.
  enum FoundationBase64 {
    /// Returns the padded text, in an array that the caller wipes.
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

    /// Decodes padded text.
    ///
    /// Returns `false` unless it is valid and fills `bytes` exactly.
    static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Bool {
      // Keep a single reference: `Data` with a second owner is copied first, and only the copy is wiped.
      guard
        var data = unsafe text.withUnsafeBytes({ text -> Data? in
          guard let start = text.baseAddress else { return nil }
          return unsafe Data(
            base64Encoded: Data(
              bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: text.count, deallocator: .none))
        })
      else { return false }
      return bytes.fill(wiping: &data)
    }
  }

  extension Data {
    /// Overwrites the contents, unless another copy shares the storage.
    fileprivate mutating func wipe() {
      unsafe withUnsafeMutableBytes { unsafe Wiping.wipe($0) }
    }
  }
#endif
