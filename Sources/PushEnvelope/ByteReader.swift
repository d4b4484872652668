/// Reads bytes from the front.
///
/// A read past the end gives nil. No memory is allocated for a length that the input only claims.
struct ByteReader {
  private let bytes: [UInt8]
  private var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next `count` bytes.
  mutating func read(_ count: Int) -> [UInt8]? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// The next byte, or nil at the end.
  mutating func readByte() -> UInt8? {
    guard offset < bytes.count else { return nil }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// The next `count` bytes as a big-endian number; at most 8.
  mutating func readInteger(_ count: Int) -> UInt64? {
    guard count <= bytes.count - offset else { return nil }
    defer { offset += count }
    return UInt64(bigEndian: bytes[offset..<offset + count])
  }

  /// All remaining bytes.
  mutating func readRest() -> [UInt8] {
    defer { offset = bytes.count }
    return Array(bytes[offset...])
  }
}

extension UInt64 {
  /// Reads at most 8 bytes, big-endian.
  init(bigEndian bytes: ArraySlice<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension [UInt8] {
  /// Appends a number in `count` bytes, big-endian.
  mutating func append(bigEndian value: UInt64, count: Int) {
    var shift = UInt64(8 * count)
    while shift > 0 {
      shift -= 8
      append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// Appends a text in UTF-8.
  mutating func append(text: String) {
    var text = text
    text.withUTF8 { unsafe append(contentsOf: $0) }
  }
}
