/// An input that is read from its front; after its end, it gives zeros and empty pieces.
struct Input {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  /// Whether nothing is left.
  var isEmpty: Bool { rest.isEmpty }

  /// The next byte.
  mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

  /// The next bit, which takes a whole byte.
  mutating func flag() -> Bool { byte() & 1 == 1 }

  /// A number below `count`, from two bytes.
  mutating func index(below count: Int) -> Int {
    (Int(byte()) | Int(byte()) << 8) % max(1, count)
  }

  /// A number from eight bytes.
  mutating func integer() -> Int64 {
    Int64(bitPattern: (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) })
  }

  /// Bytes after their length.
  mutating func piece() -> [UInt8] {
    let count = Int(byte())
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// A text after its length; bytes that are not UTF-8 are replaced.
  mutating func text() -> String { String(decoding: piece(), as: UTF8.self) }

  /// A text, or none.
  mutating func optionalText() -> String? { flag() ? text() : nil }

  /// One of several values.
  mutating func choice<Value>(of values: [Value]) -> Value { values[index(below: values.count)] }

  /// The rest of the input.
  mutating func remainder() -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }
}
