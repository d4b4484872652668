/// Writes values as canonical JSON.
struct JSONWriter {
  private(set) var output: [UInt8] = []

  /// Makes a writer with room for an ordinary notification.
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

  /// Writes text as it is.
  private mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { unsafe output.append(contentsOf: $0) }
  }

  /// Writes a string: whole runs as they are, and between them what must be escaped.
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
