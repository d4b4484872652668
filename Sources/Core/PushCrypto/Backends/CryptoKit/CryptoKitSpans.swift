#if canImport(CryptoKit)
  internal import CryptoKit
  internal import Foundation

  extension Secret {
    /// Copies `count` bytes from one of CryptoKit's secrets; the result is all zero if the length differs.
    init(copyingContents contents: some ContiguousBytes, count: Int) {
      self.init(count: count) { bytes in
        unsafe bytes.withUnsafeMutableBytes { bytes in
          unsafe contents.withUnsafeBytes { contents in
            if contents.count == bytes.count { unsafe bytes.copyMemory(from: contents) }
          }
        }
      }
    }
  }

  extension SymmetricKey {
    /// Makes a key from a copy of `bytes`, which CryptoKit wipes.
    init(copying bytes: Span<UInt8>) {
      self = unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) }
    }
  }

  extension MutableSpan<UInt8> {
    /// Writes `text` followed by `tag`.
    ///
    /// Returns `false` unless they fill the memory exactly.
    mutating func fill(with text: Data, _ tag: Data = Data()) -> Bool {
      guard count == text.count + tag.count else { return false }
      guard count > 0 else { return true }
      unsafe withUnsafeMutableBytes { bytes in
        unsafe text.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<text.count]))
        unsafe tag.copyBytes(to: UnsafeMutableRawBufferPointer(rebasing: bytes[text.count...]))
      }
      return true
    }

    /// Writes `secret`, then wipes the source unless another copy shares its storage.
    ///
    /// Returns `false` unless it fills the memory exactly.
    mutating func fill(wiping secret: inout Data) -> Bool {
      let isFilled = fill(with: secret)
      unsafe secret.withUnsafeMutableBytes { unsafe Wiping.wipe($0) }
      return isFilled
    }
  }
#endif
