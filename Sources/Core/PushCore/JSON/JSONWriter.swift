/// Writes values as canonical JSON.
struct JSONWriter {
  private(set) var output: [UInt8] = []

  /// Makes a writer with memory for a typical notification.
  init() { output.reserveCapacity(1024) }

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .boolean(let value): append(value ? "true" : "false")
    case .number(let number): append(number.literal)
    case .string(let string): write(string)
    case .array(let values): write(values)
    case .object(let object): write(object)
    }
  }

  mutating func write(_ object: JSONObject) {
    open()
    var isFirst = true
    for (key, value) in object {
      write(key: key, isFirst: &isFirst)
      write(value)
    }
    close()
  }

  /// Starts an object.
  mutating func open() { output.append(UInt8(ascii: "{")) }

  /// Ends an object.
  mutating func close() { output.append(UInt8(ascii: "}")) }

  /// Starts a member.
  mutating func write(key: String, isFirst: inout Bool) {
    separate(isFirst: &isFirst)
    write(key)
    output.append(UInt8(ascii: ":"))
  }

  private mutating func write(_ values: [JSONValue]) {
    output.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      separate(isFirst: &isFirst)
      write(value)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func separate(isFirst: inout Bool) {
    if !isFirst {
      output.append(UInt8(ascii: ","))
    }
    isFirst = false
  }

  /// Writes text unchanged.
  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe output.append(contentsOf: $0) }
  }

  /// Writes a string: copies whole runs of plain text, and escapes the bytes between them.
  private mutating func write(_ string: String) {
    output.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { bytes in
      var start = 0
      while let special = unsafe EscapeScan.firstEscaped(in: bytes, from: start) {
        unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<special]))
        writeEscaped(unsafe bytes[special])
        start = special + 1
      }
      unsafe output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start...]))
    }
    output.append(UInt8(ascii: "\""))
  }

  private mutating func writeEscaped(_ byte: UInt8) {
    switch byte {
    case 0x08: append(#"\b"#)
    case 0x09: append(#"\t"#)
    case 0x0A: append(#"\n"#)
    case 0x0C: append(#"\f"#)
    case 0x0D: append(#"\r"#)
    case 0x00..<0x10: append(#"\u000\#(String(byte, radix: 16))"#)
    case 0x10..<0x20: append(#"\u00\#(String(byte, radix: 16))"#)
    default: output.append(contentsOf: [UInt8(ascii: "\\"), byte])
    }
  }
}

/// Finds bytes that must be escaped in a string, eight at a time.
enum EscapeScan {
  /// The position of the first byte at or after `start` that must be escaped; nil if there is none.
  @unsafe
  fileprivate static func firstEscaped(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    let words = UnsafeRawBufferPointer(bytes)
    var position = start
    while position + 8 <= bytes.count,
      !hasEscaped(in: unsafe words.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    { position += 8 }
    while position < bytes.count {
      if mustBeEscaped(unsafe bytes[position]) { return position }
      position += 1
    }
    return nil
  }

  /// Whether a text has a NUL.
  static func hasNUL(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var position = 0
      // The scan for escapes finds a NUL too, and stops at few other bytes.
      while let escaped = unsafe firstEscaped(in: bytes, from: position) {
        if unsafe bytes[escaped] == 0 { return true }
        position = escaped + 1
      }
      return false
    }
  }

  // RFC 8259, 7: only the quotation mark, the reverse solidus and the control characters must be escaped.
  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  /// Whether one of eight bytes must be escaped.
  private static func hasEscaped(in bytes: UInt64) -> Bool {
    let quotationMarks = bytes ^ each * UInt64(UInt8(ascii: "\""))
    let solidi = bytes ^ each * UInt64(UInt8(ascii: "\\"))
    return hasByte(below: 0x20, in: bytes) || hasByte(below: 1, in: quotationMarks)
      || hasByte(below: 1, in: solidi)
  }

  /// Whether one of eight bytes is below `bound`, at most 0x80.
  ///
  /// The subtraction sets the high bit of the lowest such byte. Without such a byte it sets the high bit only of bytes
  /// that already have it, which the mask ignores.
  private static func hasByte(below bound: UInt64, in bytes: UInt64) -> Bool {
    (bytes &- each * bound) & ~bytes & (each * 0x80) != 0
  }

  /// 1 in each of eight bytes.
  private static let each: UInt64 = 0x0101_0101_0101_0101
}
