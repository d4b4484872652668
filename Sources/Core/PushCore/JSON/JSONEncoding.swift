extension JSONValue {
  /// Encodes a value as JSON.
  ///
  /// Integers of up to 64 bits are exact. A `Double` or `Float` has the fewest digits that read back as the same value.
  /// Members are in the order in which they are encoded. Throws an `EncodingError` for an infinity or NaN, and for a
  /// value that is nested more than 32 levels deep, the default limit of `init(parsing:maximumDepth:)`.
  ///
  /// Types of Foundation encode themselves as they define it, without the strategies of `JSONEncoder`. A `Date` is the
  /// number of seconds since 2001, which `JSONDecoder` expects by default. A `Data`, `URL` or `Decimal` has a form that
  /// ``decode(as:)`` reads and `JSONDecoder` does not: for that, parse what a `JSONEncoder` writes.
  public init(encoding value: some Encodable) throws {
    let draft = JSONDraft(at: [])
    try JSONEncoding(draft: draft).encode(value)
    guard !draft.isEmpty else { throw EncodingError.invalid(at: [], because: "The type encodes no value.") }
    self = try draft.finish()
  }
}

extension JSONObject {
  /// Encodes a value as a JSON object, by the rules of ``JSONValue/init(encoding:)``.
  ///
  /// Throws an `EncodingError` also if the value is encoded as anything else than an object.
  public init(encoding value: some Encodable) throws {
    guard let object = try JSONValue(encoding: value).object else {
      throw EncodingError.invalid(at: [], because: "The value is not encoded as a JSON object.")
    }
    self = object
  }
}

/// Encodes one value into a draft; is also the container of a single value.
private struct JSONEncoding: Encoder, SingleValueEncodingContainer {
  let draft: JSONDraft

  /// How many calls of `encode` are under way.
  var calls = 0

  var codingPath: [any CodingKey] { draft.path }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    draft.open(as: .object(MemberList()))
    return KeyedEncodingContainer(MemberEncoding(object: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    draft.open(as: .array([]))
    return ElementEncoding(array: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }

  func encodeNil() throws { try draft.set(.null) }

  func encode(_ value: some Encodable & JSONScalar) throws {
    guard let json = value.json else {
      throw EncodingError.invalid(value, at: codingPath, because: "JSON has no infinities and no NaN.")
    }
    try draft.set(json)
  }

  func encode(_ value: some Encodable) throws {
    // A type that encodes itself without end would use up the stack.
    guard calls < JSONReader.deepest else {
      throw EncodingError.invalid(at: codingPath, because: "The value is nested too deeply.")
    }
    guard codingPath.count <= JSONDraft.deepest else { throw EncodingError.tooDeep(at: codingPath) }
    guard draft.isEmpty else { throw EncodingError.secondValue(at: codingPath) }
    try value.encode(to: JSONEncoding(draft: draft, calls: calls + 1))
  }

  /// Encodes into a new draft, which a container takes.
  func part(at key: any CodingKey) -> JSONEncoding {
    // Too deep already: a longer path would only take memory.
    let path = codingPath.count > JSONDraft.deepest ? codingPath : codingPath + [key]
    return JSONEncoding(draft: JSONDraft(at: path), calls: calls)
  }
}

/// The members of an object that is being encoded.
private struct MemberEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let object: JSONEncoding

  var codingPath: [any CodingKey] { object.codingPath }

  func encodeNil(forKey key: Key) throws { try open(key).encodeNil() }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    let part = object.part(at: key)
    try part.encode(value)
    object.draft.set(part.draft, forKey: key.stringValue)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    open(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    open(key).unkeyedContainer()
  }

  func superEncoder() -> any Encoder { open(JSONCodingKey.superclass) }

  func superEncoder(forKey key: Key) -> any Encoder { open(key) }

  private func open(_ key: any CodingKey) -> JSONEncoding {
    let part = object.part(at: key)
    object.draft.set(part.draft, forKey: key.stringValue)
    return part
  }
}

/// The elements of an array that is being encoded.
private struct ElementEncoding: UnkeyedEncodingContainer {
  let array: JSONEncoding

  var codingPath: [any CodingKey] { array.codingPath }
  var count: Int { array.draft.count }

  func encodeNil() throws { try open().encodeNil() }

  func encode(_ value: some Encodable) throws {
    let part = array.part(at: JSONCodingKey(intValue: count))
    try part.encode(value)
    array.draft.append(part.draft)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    open().container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { open().unkeyedContainer() }

  func superEncoder() -> any Encoder { open() }

  private func open() -> JSONEncoding {
    let part = array.part(at: JSONCodingKey(intValue: count))
    array.draft.append(part.draft)
    return part
  }
}
