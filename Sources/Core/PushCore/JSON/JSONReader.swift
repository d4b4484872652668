/// A pull parser: reads JSON from a span, piece by piece, as the caller asks.
///
/// A container is opened with ``beginObject()`` or ``beginArray()`` and stepped through with ``nextKey()`` or
/// ``nextElement()``; after each step the caller reads exactly one value. ``readValue()`` reads any value whole.
/// ``finish()`` comes last. After an error the reader must not be used again.
///
/// The reader enforces every rule of `JSONValue.init(parsing:maximumDepth:)`, including unique keys and the depth. A
/// caller that steps in the wrong order gets an error, never a trap.
package struct JSONReader: ~Copyable, ~Escapable {
  /// The deepest nesting that a caller can ask for: values are read recursively, and the thread's stack may be small.
  static let deepest = 128

  let bytes: Span<UInt8>
  private let maximumDepth: Int
  private var containers: [Container] = []

  /// The number of bytes read.
  package internal(set) var offset = 0

  /// Starts at the first byte.
  ///
  /// Nothing is checked before the first read.
  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, maximumDepth: Int = 32) {
    self.bytes = bytes
    self.maximumDepth = min(maximumDepth, Self.deepest)
    containers.reserveCapacity(8)
  }

  /// Checks that only white space remains and that every container is closed.
  package mutating func finish() throws(JSONError) {
    skipWhitespace()
    guard containers.isEmpty, offset == bytes.count else { throw JSONError(.trailingBytes, at: offset) }
  }

  /// The next byte after white space, not consumed.
  ///
  /// Throws `unexpectedEnd` if there is none.
  mutating func peek() throws(JSONError) -> UInt8 {
    skipWhitespace()
    guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
    return bytes[offset]
  }

  /// The error for a byte that starts no value, or a value of another type than expected (then `reason`).
  func refusal(of byte: UInt8, otherwise reason: JSONError.Reason) -> JSONError {
    if offset == 0, startsWithByteOrderMark {
      return JSONError(.byteOrderMark, at: 0)
    }
    return JSONError(JSONKind(firstByte: byte) == nil ? .unexpectedByte : reason, at: offset)
  }

  // RFC 8259, 2: ws = space, horizontal tab, line feed, carriage return
  private mutating func skipWhitespace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return
      }
    }
  }

  private var startsWithByteOrderMark: Bool {
    guard bytes.count >= 2 else { return false }
    switch (bytes[0], bytes[1]) {
    case (0xFE, 0xFF), (0xFF, 0xFE): return true
    case (0xEF, 0xBB): return bytes.count >= 3 && bytes[2] == 0xBF
    default: return false
    }
  }
}

extension JSONReader {
  /// Opens an object.
  ///
  /// Throws `notAnObject` if another type is next, `tooDeep` at the limit.
  package mutating func beginObject() throws(JSONError) {
    try begin(with: UInt8(ascii: "{"), isObject: true, otherwise: .notAnObject)
  }

  /// Opens an array.
  ///
  /// Throws `notAnArray` if another type is next, `tooDeep` at the limit.
  package mutating func beginArray() throws(JSONError) {
    try begin(with: UInt8(ascii: "["), isObject: false, otherwise: .notAnArray)
  }

  /// Steps to the next member of the innermost object and returns its key; nil at the end, which closes the object.
  ///
  /// Throws `duplicateKey`, at the key's first byte, if the object already has this key.
  package mutating func nextKey() throws(JSONError) -> String? {
    guard let (key, start) = try stepToKey() else { return nil }
    let last = containers.count - 1
    guard containers[last].keys.position(of: key) == nil else { throw JSONError(.duplicateKey, at: start) }
    if containers[last].keys.all.isEmpty { containers[last].keys.reserveCapacity(8) }
    containers[last].keys.append(key: key, value: ())
    try readColon()
    return key
  }

  /// Reads the next key of the innermost object, and returns the offset of its first byte too; nil at the end.
  private mutating func stepToKey() throws(JSONError) -> (key: String, start: Int)? {
    guard try step(closing: UInt8(ascii: "}"), isObject: true, otherwise: .notAnObject) else { return nil }
    let start = offset
    guard bytes[offset] == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: offset) }
    return (try readString(), start)
  }

  private mutating func readColon() throws(JSONError) {
    guard try peek() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: offset) }
    offset += 1
  }

  /// Steps to the next element of the innermost array; false at the end, which closes the array.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try step(closing: UInt8(ascii: "]"), isObject: false, otherwise: .notAnArray)
  }

  private mutating func begin(
    with opening: UInt8, isObject: Bool, otherwise reason: JSONError.Reason
  ) throws(JSONError) {
    let byte = try peek()
    guard byte == opening else { throw refusal(of: byte, otherwise: reason) }
    // Checked before descending, so that no input makes the reader use more stack or memory than the limit allows.
    guard containers.count < maximumDepth else { throw JSONError(.tooDeep, at: offset) }
    offset += 1
    containers.append(Container(isObject: isObject))
  }

  /// Moves to the first byte of the next member or element; false if the container closes instead.
  private mutating func step(
    closing: UInt8, isObject: Bool, otherwise reason: JSONError.Reason
  ) throws(JSONError) -> Bool {
    let last = containers.count - 1
    guard last >= 0, containers[last].isObject == isObject else { throw JSONError(reason, at: offset) }
    if try peek() == closing {
      offset += 1
      containers.removeLast()
      return false
    }
    guard !containers[last].isFirst else {
      containers[last].isFirst = false
      return true
    }
    guard bytes[offset] == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: offset) }
    offset += 1
    // A trailing comma is an error.
    guard try peek() != closing else { throw JSONError(.unexpectedByte, at: offset) }
    return true
  }
}

extension JSONReader {
  /// Tells the type of the next value without consuming it.
  package mutating func nextKind() throws(JSONError) -> JSONKind {
    let byte = try peek()
    guard let kind = JSONKind(firstByte: byte) else { throw refusal(of: byte, otherwise: .unexpectedByte) }
    return kind
  }

  /// Reads the next value whole, of any type.
  package mutating func readValue() throws(JSONError) -> JSONValue {
    switch try nextKind() {
    case .null:
      try readLiteral("null")
      return .null
    case .boolean:
      let isTrue = bytes[offset] == UInt8(ascii: "t")
      try readLiteral(isTrue ? "true" : "false")
      return .boolean(isTrue)
    case .number: return .number(try readNumber())
    case .string: return .string(try readString())
    case .array: return .array(try readArray())
    case .object: return .object(try readObject())
    }
  }

  /// Skips the next value, of any type.
  ///
  /// Only the names of its members are stored, to find duplicates.
  package mutating func skipValue() throws(JSONError) {
    switch try nextKind() {
    case .null, .boolean, .number: _ = try readValue()
    case .string: try readString { _ in }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    }
  }

  private mutating func readArray() throws(JSONError) -> [JSONValue] {
    try beginArray()
    var values: [JSONValue] = []
    while try nextElement() {
      values.append(try readValue())
    }
    return values
  }

  /// Reads an object whole.
  ///
  /// Throws `notAnObject` if another type is next.
  package mutating func readObject() throws(JSONError) -> JSONObject {
    try beginObject()
    var object = JSONObject()
    while let (key, start) = try stepToKey() {
      guard !object.has(key) else { throw JSONError(.duplicateKey, at: start) }
      try readColon()
      object.append(try readValue(), forNewKey: key)
    }
    return object
  }

  private mutating func readNumber() throws(JSONError) -> JSONNumber {
    let end = try NumberGrammar.end(of: bytes, from: offset)
    defer { offset = end }
    return JSONNumber(validated: text(in: offset..<end))
  }

  private mutating func readLiteral(_ literal: String) throws(JSONError) {
    for byte in literal.utf8 {
      guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
      guard bytes[offset] == byte else { throw JSONError(.unexpectedByte, at: offset) }
      offset += 1
    }
  }
}

extension JSONReader {
  /// An array or object that is open.
  fileprivate struct Container {
    let isObject: Bool
    var isFirst = true
    var keys = MemberList<Void>()
  }
}

/// The type of a JSON value, as its first byte shows.
package enum JSONKind: Sendable {
  case null, boolean, number, string, array, object

  fileprivate init?(firstByte: UInt8) {
    switch firstByte {
    case UInt8(ascii: "n"): self = .null
    case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .boolean
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): self = .number
    case UInt8(ascii: "\""): self = .string
    case UInt8(ascii: "["): self = .array
    case UInt8(ascii: "{"): self = .object
    default: return nil
    }
  }
}
