internal import PushStore

/// A value for a statement, in PostgreSQL's text form.
struct Value {
  /// nil for null.
  let text: String?

  private init(_ text: String?) { self.text = text }

  /// A text; null if it contains a NUL: no text in PostgreSQL has one, and null equals nothing.
  static func text(_ text: String?) -> Value { Value(text.flatMap { $0.utf8.contains(0) ? nil : $0 }) }

  static func integer(_ number: some BinaryInteger) -> Value { Value(String(number)) }

  static func boolean(_ isTrue: Bool) -> Value { Value(isTrue ? "t" : "f") }

  /// Seconds, of at most a century, so that their sum with a time is a time.
  static func seconds(_ time: Duration) -> Value {
    let century = 3_155_760_000.0
    return Value(String(min(max(time.inSeconds, -century), century)))
  }

  /// Whole milliseconds, as settings have them.
  static func milliseconds(_ time: Duration) -> Value { integer(Int(time / .milliseconds(1))) }

  /// Seconds since 1970, for `to_timestamp`.
  static func seconds(since1970 seconds: Double) -> Value { Value(String(seconds)) }

  /// A limit; below 0 it is 0.
  static func limit(_ count: Int) -> Value { integer(max(count, 0)) }

  // MARK: Arrays, for statements with many rows

  static func texts(_ texts: [String?]) -> Value { array(texts.map { .text($0) }) }

  static func integers(_ numbers: [some BinaryInteger]) -> Value { array(numbers.map { .integer($0) }) }

  static func integers(_ numbers: [(some BinaryInteger)?]) -> Value {
    array(numbers.map { $0.map { .integer($0) } ?? Value(nil) })
  }

  static func booleans(_ values: [Bool]) -> Value { array(values.map { .boolean($0) }) }

  static func seconds(_ times: [Duration]) -> Value { array(times.map { .seconds($0) }) }

  private static func array(_ values: [Value]) -> Value {
    let (quote, escape) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var text = Array("{".utf8)
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      guard let element = value.text else {
        text += "NULL".utf8
        continue
      }
      text.append(quote)
      for byte in element.utf8 {
        if byte == quote || byte == escape { text.append(escape) }
        text.append(byte)
      }
      text.append(quote)
    }
    return Value(String(decoding: text, as: UTF8.self) + "}")
  }
}

/// Texts as C strings.
struct CStrings {
  private let bytes: [CChar]
  private let starts: [Int?]

  init(_ texts: [String?]) {
    var (bytes, starts): ([CChar], [Int?]) = ([], [])
    for text in texts {
      starts.append(text == nil ? nil : bytes.count)
      guard let text else { continue }
      bytes += text.utf8.lazy.map { CChar(bitPattern: $0) }
      bytes.append(0)
    }
    self.bytes = bytes
    self.starts = starts
  }

  @unsafe func withPointers<Value>(
    _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let pointers = unsafe starts.map { start in
        unsafe start.flatMap { unsafe bytes.baseAddress?.advanced(by: $0) }
      }
      return unsafe pointers.withUnsafeBufferPointer(body)
    }
  }
}
