extension JSONReader {
  /// Tells the type of the next value without consuming it.
  package mutating func nextKind() throws(JSONError) -> JSONKind {
    let byte = try peek()
    guard let kind = JSONKind(firstByte: byte) else { throw refusal(of: byte, otherwise: .unexpectedByte) }
    return kind
  }

  /// Reads the next value whole, whatever it is.
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

  /// Passes over the next value, whatever it is, of which nothing is built but the names of its members.
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
    while let key = try nextKey() {
      object.append(try readValue(), forNewKey: key)
    }
    return object
  }

  private mutating func readNumber() throws(JSONError) -> JSONNumber {
    let end = try NumberGrammar.end(of: bytes, from: offset)
    var literal: [UInt8] = []
    append(offset..<end, to: &literal)
    offset = end
    return JSONNumber(validated: String(decoding: literal, as: UTF8.self))
  }

  private mutating func readLiteral(_ literal: String) throws(JSONError) {
    for byte in literal.utf8 {
      guard offset < bytes.count else { throw JSONError(.unexpectedEnd, at: offset) }
      guard bytes[offset] == byte else { throw JSONError(.unexpectedByte, at: offset) }
      offset += 1
    }
  }
}
