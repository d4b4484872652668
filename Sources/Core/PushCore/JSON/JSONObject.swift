/// A JSON object: members in their original order, with unique keys.
///
/// Keys are compared by their UTF-8 bytes. Two objects are equal if they have equal members in the same order.
public struct JSONObject: Sendable {
  private var members = MemberList<JSONValue>()

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
      members.position(of: key).map { members[$0] }
    }
    set {
      guard let newValue else {
        removeValue(forKey: key)
        return
      }
      if let position = members.position(of: key) {
        members[position] = newValue
      } else {
        append(newValue, forNewKey: key)
      }
    }
  }

  /// Whether there are no members.
  public var isEmpty: Bool { members.all.isEmpty }

  /// The number of members.
  public var count: Int { members.all.count }

  /// The keys, in order.
  public var keys: [String] { members.all.map(\.key) }

  /// Removes a member and returns its value, or nil if there is none.
  ///
  /// Takes time proportional to the number of members after it.
  @discardableResult
  public mutating func removeValue(forKey key: String) -> JSONValue? {
    guard let position = members.position(of: key) else { return nil }
    return members.remove(at: position)
  }

  /// The object without the members of these keys.
  func without(_ keys: [String]) -> JSONObject {
    var others = JSONObject()
    guard keys.count(where: has) < count else { return others }
    for (key, value) in self where !keys.contains(where: { ExactString($0) == ExactString(key) }) {
      others.append(value, forNewKey: key)
    }
    return others
  }

  /// The object as canonical JSON in UTF-8, by the rules of ``JSONValue/encoded()``.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.output
  }

  /// Reserves memory for `count` members in total.
  mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

  /// Whether there is a member with this key.
  func has(_ key: String) -> Bool { members.position(of: key) != nil }

  /// Adds a member whose key is known to be new.
  mutating func append(_ value: consuming JSONValue, forNewKey key: consuming String) {
    if isEmpty { reserveCapacity(8) }
    members.append(key: key, value: value)
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
    left.count == right.count
      && zip(left, right).allSatisfy {
        ExactString($0.key) == ExactString($1.key) && $0.value == $1.value
      }
  }
}

extension JSONObject: Sequence {
  /// A member: its key and its value.
  public typealias Element = (key: String, value: JSONValue)

  /// Iterates over the members in order.
  public struct Iterator: IteratorProtocol {
    private let members: [Element]
    private var position = 0

    fileprivate init(members: [Element]) { self.members = members }

    /// The next member, or nil after the last.
    public mutating func next() -> Element? {
      guard position < members.count else { return nil }
      defer { position += 1 }
      return members[position]
    }
  }

  /// Starts at the first member.
  public func makeIterator() -> Iterator {
    Iterator(members: members.all)
  }

  /// The exact number of members.
  public var underestimatedCount: Int { count }
}
