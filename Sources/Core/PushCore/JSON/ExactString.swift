#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A string that is compared and hashed by its UTF-8 bytes.
///
/// `String` compares by canonical equivalence, so a composed and a decomposed "é" are equal. In JSON they are
/// different keys (RFC 8259, section 8.3: compared code unit by code unit).
package struct ExactString: Hashable, Sendable {
  package let string: String

  package init(_ string: String) {
    self.string = string
  }

  package static func == (left: ExactString, right: ExactString) -> Bool {
    // A fast first check: most strings differ, and `String` compares short ones as machine words.
    guard left.string.utf8.count == right.string.utf8.count, left.string == right.string else { return false }
    var (left, right) = (left.string, right.string)
    return left.withUTF8 { left in
      right.withUTF8 { right in
        guard let start = left.baseAddress, let other = right.baseAddress else { return true }
        return unsafe memcmp(start, other, left.count) == 0
      }
    }
  }

  package func hash(into hasher: inout Hasher) {
    for byte in string.utf8 {
      hasher.combine(byte)
    }
    hasher.combine(UInt8(0xFF))
  }
}

extension Optional where Wrapped == String {
  /// Whether both are absent, or both have the same UTF-8 bytes.
  func isExactly(_ other: String?) -> Bool {
    map(ExactString.init) == other.map(ExactString.init)
  }
}
