extension JSONValue {
  /// Decodes a value of a type.
  ///
  /// A number must be what the type holds exactly: an integer type takes a number that is written as an integer of its
  /// range, and a floating-point type takes no integer that it would round, such as 2^53 + 1. A number with a fraction
  /// or an exponent becomes the nearest value, as with every reader of JSON.
  ///
  /// Types of Foundation decode themselves as they define it, without the strategies of `JSONDecoder`; see
  /// ``init(encoding:)``.
  ///
  /// Throws a `DecodingError`. Its description contains nothing of the JSON, unless the type itself throws it: Swift's
  /// enums show a raw value that they do not know.
  public func decode<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONDecoding(value: self, codingPath: []).decode(type)
  }
}

extension JSONObject {
  /// Decodes a value of a type, by the rules of ``JSONValue/decode(as:)``.
  public func decode<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONValue.object(self).decode(as: type)
  }
}

/// Decodes one value; is also the container of a single value.
private struct JSONDecoding: Decoder, SingleValueDecodingContainer {
  let value: JSONValue
  let codingPath: [any CodingKey]

  /// How many calls of `decode` are under way.
  var calls = 0

  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let object = value.object else { throw mismatch(of: JSONObject.self, named: "an object") }
    return KeyedDecodingContainer(MemberDecoding(object: object, decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = value.array else { throw mismatch(of: [JSONValue].self, named: "an array") }
    return ElementDecoding(elements: elements, decoder: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value == .null }

  func decode<Value: Decodable & JSONScalar>(_ type: Value.Type) throws -> Value {
    do throws(ScalarError) {
      return try Value(json: value)
    } catch {
      switch error {
      case .otherType: throw mismatch(of: type, named: "\(type)")
      case .notExact: throw DecodingError.dataCorrupted(context("\(type) cannot hold this number exactly."))
      }
    }
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    // What comes from outside is nested, and a type may decode itself without end: neither may use up the stack.
    guard calls < JSONReader.deepest else {
      throw DecodingError.dataCorrupted(context("The value is nested too deeply."))
    }
    return try type.init(from: JSONDecoding(value: value, codingPath: codingPath, calls: calls + 1))
  }

  /// Decodes a member or an element.
  func part(_ value: JSONValue, at key: any CodingKey) -> JSONDecoding {
    JSONDecoding(value: value, codingPath: codingPath + [key], calls: calls)
  }

  func context(_ description: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: description)
  }

  private func mismatch(of type: any Any.Type, named name: String) -> DecodingError {
    let context = context("Expected \(name), found \(value.kind).")
    return decodeNil() ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }
}

/// The members of an object that is being decoded.
private struct MemberDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let decoder: JSONDecoding

  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { object.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { object.has(key.stringValue) }

  func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try member(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try member(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try member(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { memberOrNull(JSONCodingKey.superclass) }

  func superDecoder(forKey key: Key) -> any Decoder { memberOrNull(key) }

  private func member(_ key: Key) throws -> JSONDecoding {
    guard let value = object[key.stringValue] else {
      throw DecodingError.keyNotFound(key, decoder.context("The object has no member with this key."))
    }
    return decoder.part(value, at: key)
  }

  /// A superclass may decode nothing, so that its member need not be there.
  private func memberOrNull(_ key: any CodingKey) -> JSONDecoding {
    decoder.part(object[key.stringValue] ?? .null, at: key)
  }
}

/// The elements of an array that is being decoded.
private struct ElementDecoding: UnkeyedDecodingContainer {
  let elements: [JSONValue]
  let decoder: JSONDecoding

  private(set) var currentIndex = 0

  init(elements: [JSONValue], decoder: JSONDecoding) {
    self.elements = elements
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try next(Never?.self).decodeNil() else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try take(type) { try $0.decode(type) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try take(JSONObject.self) { try $0.container(keyedBy: type) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try take([JSONValue].self) { try $0.unkeyedContainer() }
  }

  mutating func superDecoder() throws -> any Decoder { try take((any Decoder).self) { $0 } }

  /// The next element, for errors of which `type` is expected.
  private func next(_ type: any Any.Type) throws -> JSONDecoding {
    let key = JSONCodingKey(intValue: currentIndex)
    guard !isAtEnd else {
      let context = DecodingError.Context(
        codingPath: codingPath + [key], debugDescription: "The array has no more elements.")
      throw DecodingError.valueNotFound(type, context)
    }
    return decoder.part(elements[currentIndex], at: key)
  }

  /// Decodes the next element, and steps over it unless that fails.
  private mutating func take<Value>(
    _ type: any Any.Type, decode: (JSONDecoding) throws -> Value
  ) throws -> Value {
    let value = try decode(next(type))
    currentIndex += 1
    return value
  }
}

extension JSONValue {
  /// The type as a sentence names it.
  fileprivate var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
