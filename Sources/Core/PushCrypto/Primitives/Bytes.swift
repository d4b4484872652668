extension [UInt8] {
  /// Copies a span's bytes.
  package init(copying bytes: Span<UInt8>) {
    self = unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Copies a span's bytes, and adds `count` zeros.
  init(copying bytes: Span<UInt8>, adding count: Int) {
    self.init()
    reserveCapacity(bytes.count + count)
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    append(contentsOf: repeatElement(0, count: count))
  }

  /// Concatenates up to three spans.
  init(concatenating first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8> = Span()) {
    self.init()
    reserveCapacity(first.count + second.count + third.count)
    unsafe first.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    unsafe second.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    unsafe third.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }

  /// Encodes `value` in `count` bytes, big endian: RFC 9180's I2OSP(value, count).
  package init(bigEndian value: some FixedWidthInteger, count: Int) {
    self = (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

extension Span<UInt8> {
  /// Whether both have the same bytes; not for secrets, because the time depends on them.
  func hasBytes(_ bytes: [UInt8]) -> Bool {
    count == bytes.count && indices.allSatisfy { self[$0] == bytes[$0] }
  }

  /// Returns one of several concatenated items of `size` bytes.
  @_lifetime(copy self)
  func item(_ position: Int, size: Int) -> Span<UInt8> {
    extracting(position * size..<(position + 1) * size)
  }

  /// Returns some of several concatenated items of `size` bytes.
  @_lifetime(copy self)
  func items(_ positions: Range<Int>, size: Int) -> Span<UInt8> {
    extracting(positions.lowerBound * size..<positions.upperBound * size)
  }

  /// Calls `body` with the bytes' address, which is never `nil`, and their count.
  func withPointer<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
    unsafe withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else {
        var nothing: UInt8 = 0
        return unsafe withUnsafePointer(to: &nothing) { unsafe body($0, 0) }
      }
      return unsafe body(start, buffer.count)
    }
  }
}

extension MutableSpan<UInt8> {
  /// Overwrites one of several concatenated items, which all have the size of `item`.
  @_lifetime(self: copy self)
  mutating func replaceItem(_ position: Int, with item: Span<UInt8>) {
    for index in item.indices { self[position * item.count + index] = item[index] }
  }

  /// Calls `body` with the bytes' address, which is never `nil`, and their count.
  mutating func withPointer<Result>(_ body: (UnsafeMutablePointer<UInt8>, Int) -> Result) -> Result {
    unsafe withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else {
        var nothing: UInt8 = 0
        return unsafe withUnsafeMutablePointer(to: &nothing) { unsafe body($0, 0) }
      }
      return unsafe body(start, buffer.count)
    }
  }
}

/// The addresses of an AEAD's inputs, none of them null, for one call into C.
@unsafe
struct AEADPointers {
  let text: UnsafePointer<UInt8>
  let textCount: Int
  let data: UnsafePointer<UInt8>
  let dataCount: Int
  let key: UnsafePointer<UInt8>
  let nonce: UnsafePointer<UInt8>

  /// Calls `body` with the addresses of four spans.
  static func with<Result>(
    text: Span<UInt8>, data: Span<UInt8>, key: Span<UInt8>, nonce: Span<UInt8>,
    body: (AEADPointers) -> Result
  ) -> Result {
    unsafe text.withPointer { text, textCount in
      unsafe data.withPointer { data, dataCount in
        unsafe key.withPointer { key, _ in
          unsafe nonce.withPointer { nonce, _ in
            unsafe body(
              AEADPointers(
                text: text, textCount: textCount, data: data, dataCount: dataCount, key: key, nonce: nonce))
          }
        }
      }
    }
  }
}
