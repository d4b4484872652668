/// Writes values as canonical JSON.
struct JSONWriter {
  private(set) var output: [UInt8] = []

  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): output.append(contentsOf: number.literal.utf8)
    case .string(let string): write(string)
    case .array(let values): write(values)
    case .object(let object): write(object)
    }
  }

  mutating func write(_ object: JSONObject) {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for (key, value) in object {
      separate(&isFirst)
      write(key)
      output.append(UInt8(ascii: ":"))
      write(value)
    }
    output.append(UInt8(ascii: "}"))
  }

  private mutating func write(_ values: [JSONValue]) {
    output.append(UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      separate(&isFirst)
      write(value)
    }
    output.append(UInt8(ascii: "]"))
  }

  private mutating func separate(_ isFirst: inout Bool) {
    if !isFirst {
      output.append(UInt8(ascii: ","))
    }
    isFirst = false
  }

  /// Writes a string: whole runs as they are, and between them what must be escaped.
  private mutating func write(_ string: String) {
    output.append(UInt8(ascii: "\""))
    var rest = string.utf8[...]
    while let special = rest.firstIndex(where: Self.mustBeEscaped) {
      output.append(contentsOf: rest[..<special])
      writeEscaped(rest[special])
      rest = rest[rest.index(after: special)...]
    }
    output.append(contentsOf: rest)
    output.append(UInt8(ascii: "\""))
  }

  // RFC 8259, 7: only the quotation mark, the reverse solidus and the control characters must be escaped.
  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func writeEscaped(_ byte: UInt8) {
    switch byte {
    case 0x08: output.append(contentsOf: #"\b"#.utf8)
    case 0x09: output.append(contentsOf: #"\t"#.utf8)
    case 0x0A: output.append(contentsOf: #"\n"#.utf8)
    case 0x0C: output.append(contentsOf: #"\f"#.utf8)
    case 0x0D: output.append(contentsOf: #"\r"#.utf8)
    case 0x00..<0x10: output.append(contentsOf: #"\u000\#(String(byte, radix: 16))"#.utf8)
    case 0x10..<0x20: output.append(contentsOf: #"\u00\#(String(byte, radix: 16))"#.utf8)
    default: output.append(contentsOf: [UInt8(ascii: "\\"), byte])
    }
  }
}
