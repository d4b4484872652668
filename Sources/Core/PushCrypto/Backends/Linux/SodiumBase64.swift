#if !canImport(CryptoKit)
  internal import CSodium

  /// Constant-time Base64 (RFC 4648, 4), for encoding and decoding secrets.
  enum SodiumBase64 {
    /// Returns the padded text, in an array that the caller wipes.
    static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
      // libsodium terminates the text with NUL.
      let size = (bytes.count + 2) / 3 * 4
      var text = [UInt8](repeating: 0, count: size + 1)
      unsafe text.withUnsafeMutableBytes { text in
        guard let start = unsafe text.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
        unsafe bytes.withPointer { bytes, count in
          _ = unsafe sodium_bin2base64(start, size + 1, bytes, count, sodium_base64_VARIANT_ORIGINAL)
        }
      }
      text.removeLast()
      return text
    }

    /// Decodes padded text.
    ///
    /// Returns `false` unless it is valid and fills `bytes` exactly.
    static func decode(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Bool {
      unsafe bytes.withPointer { output, size in
        unsafe text.withPointer { text, count in
          unsafe text.withMemoryRebound(to: CChar.self, capacity: count) { text in
            var written = 0
            let code = unsafe sodium_base642bin(
              output, size, text, count, nil, &written, nil, sodium_base64_VARIANT_ORIGINAL)
            return code == 0 && written == size
          }
        }
      }
    }
  }
#endif
