public import PushCore

/// A value of `userInfo`, which holds only property-list types on Apple's platforms.
///
/// JSON is mapped like this: null is dropped, in arrays too. A number without a fraction and an exponent that fits 64
/// signed bits is an integer. A number with one of them is a double, if it is in a double's range. Any other number is
/// a string of its digits, so that no number silently changes. If two names are the same to Unicode (canonical
/// equivalence), the last member stays, because a dictionary of strings cannot hold both.
public enum PropertyList: Equatable, Sendable {
  /// A string.
  case string(String)
  /// An integer.
  case integer(Int64)
  /// A finite double.
  case double(Double)
  /// A boolean, which is not 0 or 1.
  case boolean(Bool)
  /// An array.
  case array([PropertyList])
  /// A dictionary.
  case dictionary([String: PropertyList])

  /// Maps JSON; nil for null.
  public init?(_ value: JSONValue) {
    switch value {
    case .null: return nil
    case .boolean(let value): self = .boolean(value)
    case .string(let value): self = .string(value)
    case .number(let number): self.init(number)
    case .array(let values): self = .array(values.compactMap(PropertyList.init))
    case .object(let object): self = .dictionary(Self.dictionary(from: object))
    }
  }

  /// Maps a JSON object, member by member.
  public static func dictionary(from object: JSONObject) -> [String: PropertyList] {
    var dictionary = [String: PropertyList](minimumCapacity: object.count)
    for (key, value) in object {
      if let value = PropertyList(value) { dictionary[key] = value }
    }
    return dictionary
  }

  private init(_ number: JSONNumber) {
    switch PropertyListNumber(number) {
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .text(let value): self = .string(value)
    }
  }

  /// The value as JSON.
  ///
  /// Members of dictionaries are sorted by name.
  public var json: JSONValue {
    switch self {
    case .string(let value): .string(value)
    case .integer(let value): .number(JSONNumber(value))
    case .double(let value): JSONNumber(value).map(JSONValue.number) ?? .null
    case .boolean(let value): .boolean(value)
    case .array(let values): .array(values.map(\.json))
    case .dictionary(let dictionary): .object(Self.json(from: dictionary))
    }
  }

  /// A dictionary as a JSON object, its members sorted by name.
  public static func json(from dictionary: [String: PropertyList]) -> JSONObject {
    var object = JSONObject()
    for (key, value) in dictionary.sorted(by: { $0.key < $1.key }) { object[key] = value.json }
    return object
  }
}
