/// A JSON object: members in their original order, with unique keys.
///
/// Keys are compared by their UTF-8 bytes. Two objects are equal if they have equal members in the same order.
public struct JSONObject: Sendable {
  private var index = KeyIndex()
  private var values: [JSONValue] = []

  /// Makes an object without members.
  public init() {}

  /// Reads bytes that are exactly one JSON object; white space around it is allowed.
  ///
  /// Rules and depth are those of `JSONValue.init(parsing:maximumDepth:)`. Throws `notAnObject` if the value has
  /// another type.
  public init(parsing bytes: Span<UInt8>, maximumDepth: Int = 32) throws(JSONError) {
    var reader = JSONReader(bytes, maximumDepth: maximumDepth)
    let object = try reader.readObject()
    try reader.finish()
    self = object
  }

  /// The value of a key, or nil if there is no such member.
  ///
  /// Setting a value replaces the old one in place or adds a member at the end; setting nil removes the member. JSON
  /// null is `.null`.
  public subscript(key: String) -> JSONValue? {
    get {
      index.position(of: key).map { values[$0] }
    }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let position = index.position(of: key) {
        values[position] = newValue
      } else {
        append(newValue, forNewKey: key)
      }
    }
  }

  /// Whether there are no members.
  public var isEmpty: Bool { values.isEmpty }

  /// The number of members.
  public var count: Int { values.count }

  /// The keys, in order.
  public var keys: [String] { index.keys }

  /// Removes a member and returns its value, or nil if there is none.
  ///
  /// Takes time proportional to the number of members after it.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let position = index.position(of: key) else { return nil }
    index.remove(at: position)
    return values.remove(at: position)
  }

  /// The object as canonical JSON in UTF-8, by the rules of ``JSONValue/encoded()``.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.output
  }

  /// Reserves memory for `count` members in total.
  mutating func reserveCapacity(_ count: Int) {
    index.reserveCapacity(count)
    values.reserveCapacity(count)
  }

  /// Adds a member whose key is known to be new.
  mutating func append(_ value: JSONValue, forNewKey key: String) {
    if isEmpty { reserveCapacity(4) }
    index.append(key)
    values.append(value)
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object from members in order; a repeated key replaces the earlier value.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init()
    for (key, value) in elements {
      self[key] = value
    }
  }
}

extension JSONObject: Equatable {
  /// Whether both have equal members in the same order.
  ///
  /// Keys and strings are compared by their UTF-8 bytes.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.keys.count == right.keys.count
      && zip(left.keys, right.keys).allSatisfy { ExactString($0) == ExactString($1) }
      && left.values == right.values
  }
}

extension JSONObject: Sequence {
  /// A member: its key and its value.
  public typealias Element = (key: String, value: JSONValue)

  /// Iterates over the members in order.
  public struct Iterator: IteratorProtocol {
    fileprivate let keys: [String]
    fileprivate let values: [JSONValue]
    private var position = 0

    fileprivate init(_ keys: [String], _ values: [JSONValue]) {
      self.keys = keys
      self.values = values
    }

    /// The next member, or nil after the last.
    public mutating func next() -> Element? {
      guard position < keys.count else { return nil }
      defer { position += 1 }
      return (key: keys[position], value: values[position])
    }
  }

  /// Starts at the first member.
  public func makeIterator() -> Iterator {
    Iterator(index.keys, values)
  }

  /// The exact number of members.
  public var underestimatedCount: Int { count }
}

/// The keys of an object in order, with their positions.
///
/// A short list is searched linearly. A long list has a hash table, so that reading an object with many members takes
/// linear, not quadratic, time.
struct KeyIndex: Sendable {
  /// Up to this many keys, linear search is faster than a hash table.
  private static let searchedCount = 16

  private(set) var keys: [String] = []
  private var positions: [ExactString: Int] = [:]

  func position(of key: String) -> Int? {
    let wanted = ExactString(key)
    guard keys.count <= Self.searchedCount else { return positions[wanted] }
    return keys.firstIndex { ExactString($0) == wanted }
  }

  /// Reserves memory for `count` keys in total.
  mutating func reserveCapacity(_ count: Int) { keys.reserveCapacity(count) }

  /// Adds a key that is not in the list yet.
  mutating func append(_ key: String) {
    keys.append(key)
    if keys.count == Self.searchedCount + 1 {
      fillPositions()
    } else if keys.count > Self.searchedCount {
      positions[ExactString(key)] = keys.count - 1
    }
  }

  /// Removes the key at a position, in time proportional to the number of keys.
  mutating func remove(at position: Int) {
    keys.remove(at: position)
    positions.removeAll()
    if keys.count > Self.searchedCount {
      fillPositions()
    }
  }

  private mutating func fillPositions() {
    for (position, key) in keys.enumerated() {
      positions[ExactString(key)] = position
    }
  }
}
