/// Any JSON value (RFC 8259), lossless: objects keep their order, and numbers keep their text.
///
/// Two values are equal if their canonical bytes are equal. Strings are therefore compared by their UTF-8 bytes, and
/// a composed "é" differs from a decomposed one.
public enum JSONValue: Sendable {
  /// The literal `null`.
  case null
  /// The literal `true` or `false`.
  case boolean(Bool)
  /// A number, stored as its text.
  case number(JSONNumber)
  /// A string, unescaped.
  case string(String)
  /// Values in order.
  case array([JSONValue])
  /// Members in order.
  case object(JSONObject)

  /// Reads bytes that are exactly one JSON value; white space around it is allowed.
  ///
  /// Parsing is strict: UTF-8 without a byte order mark; no trailing commas, comments, leading zeros, lone surrogates
  /// or unescaped control characters; no duplicate keys. Every byte is checked. `maximumDepth` limits how deeply arrays
  /// and objects may be nested, and is capped at 128; deeper nesting throws `tooDeep`.
  public init(parsing bytes: Span<UInt8>, maximumDepth: Int = 32) throws(JSONError) {
    var reader = JSONReader(bytes, maximumDepth: maximumDepth)
    let value = try reader.readValue()
    try reader.finish()
    self = value
  }

  /// The value as canonical JSON in UTF-8.
  ///
  /// No white space, members in order, numbers as their text. Only `"`, `\` and control characters are escaped; the
  /// latter as `\b`, `\f`, `\n`, `\r` or `\t`, otherwise as `\u00xx` in lowercase.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.output
  }
}

extension JSONValue: Equatable {
  /// Whether both have the same type and are equal.
  ///
  /// Strings and keys are compared by their UTF-8 bytes.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let left), .boolean(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): ExactString(left) == ExactString(right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension JSONValue {
  /// The value if it is a boolean, not a number.
  public var boolean: Bool? {
    if case .boolean(let value) = self { value } else { nil }
  }

  /// The value if it is a number, not a boolean.
  public var number: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The value if it is a string.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The values if it is an array.
  public var array: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object if it is one.
  public var object: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }
}

extension JSONValue {
  /// Makes a string.
  public init(_ text: String) { self = .string(text) }

  /// Makes a boolean.
  public init(_ value: Bool) { self = .boolean(value) }

  /// Makes a number.
  public init(_ value: Int) { self = .number(JSONNumber(value)) }

  /// Makes a number.
  public init(_ value: Int64) { self = .number(JSONNumber(value)) }

  /// Makes an array.
  public init(_ values: [JSONValue]) { self = .array(values) }

  /// Makes an object.
  public init(_ object: JSONObject) { self = .object(object) }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// Makes a string.
  public init(stringLiteral value: String) {
    self = .string(value)
  }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// Makes a number.
  public init(integerLiteral value: Int64) {
    self = .number(JSONNumber(value))
  }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// Makes a number; the literal must be finite.
  public init(floatLiteral value: Double) {
    guard let number = JSONNumber(value) else { preconditionFailure("the literal is not finite") }
    self = .number(number)
  }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// Makes a boolean.
  public init(booleanLiteral value: Bool) {
    self = .boolean(value)
  }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// Makes an array.
  public init(arrayLiteral elements: JSONValue...) {
    self = .array(elements)
  }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// Makes an object from members in order; a repeated key replaces the earlier value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    var object = JSONObject()
    for (key, value) in elements {
      object[key] = value
    }
    self = .object(object)
  }
}

extension JSONValue {
  /// Whether arrays and objects are nested more than `limit` levels deep; looks no deeper than that.
  func isNested(deeperThan limit: Int) -> Bool {
    switch self {
    case .null, .boolean, .number, .string: false
    case .array(let values): limit < 1 || values.contains { $0.isNested(deeperThan: limit - 1) }
    case .object(let object): object.isNested(deeperThan: limit)
    }
  }
}

extension JSONObject {
  /// Whether this object, counted as the first level, is nested more than `limit` levels deep.
  package func isNested(deeperThan limit: Int) -> Bool {
    limit < 1 || contains { $0.value.isNested(deeperThan: limit - 1) }
  }
}
