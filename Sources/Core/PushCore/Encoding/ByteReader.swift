/// Reads bytes from the front.
///
/// A read past the end gives nil. No memory is allocated for a length that the input only claims.
struct ByteReader: ~Escapable {
  private var bytes: Span<UInt8>

  @_lifetime(copy bytes)
  init(_ bytes: Span<UInt8>) { self.bytes = bytes }

  /// The next `count` bytes.
  mutating func read(count: Int) -> [UInt8]? {
    guard count <= bytes.count else { return nil }
    defer { bytes = bytes.extracting(droppingFirst: count) }
    return Self.copy(bytes.extracting(first: count))
  }

  /// The next byte, or nil at the end.
  mutating func readByte() -> UInt8? { readInteger(count: 1).map { UInt8(truncatingIfNeeded: $0) } }

  /// The next `count` bytes as a big-endian number; at most 8.
  mutating func readInteger(count: Int) -> UInt64? {
    guard count <= bytes.count else { return nil }
    defer { bytes = bytes.extracting(droppingFirst: count) }
    return (0..<count).reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
  }

  /// All remaining bytes.
  consuming func rest() -> [UInt8] { Self.copy(bytes) }

  private static func copy(_ bytes: Span<UInt8>) -> [UInt8] {
    unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
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
