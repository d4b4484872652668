#if canImport(Glibc)  // the stubs of Apple's Foundation have no coders
  import Foundation
  import PushCore
  import TestSupport
  import Testing

  @Suite("Codable types as Foundation's coders treat them", .hangGuard)
  struct FoundationCodersTests {
    @Test("Foundation writes the same, and each reads what the other writes", arguments: CodableSample.all)
    func same(sample: CodableSample) throws { try sample.check() }
  }

  /// A value that Foundation's coders and this module's must treat alike.
  struct CodableSample: CustomTestStringConvertible, Sendable {
    let testDescription: String

    /// Compares what both write, and has each read what the other writes.
    let check: @Sendable () throws -> Void

    init<Value: Codable & Equatable & Sendable>(_ name: String, _ value: Value) {
      testDescription = name
      check = {
        let foundation = try parse(Array(JSONEncoder().encode(value)))
        let ours = try JSONValue(encoding: value)
        #expect(comparable(ours) == comparable(foundation))
        #expect(try ours.decode(as: Value.self) == value)
        #expect(try foundation.decode(as: Value.self) == value)
        #expect(try JSONDecoder().decode(Value.self, from: Data(ours.encoded())) == value)
      }
    }

    static let all: [CodableSample] = [
      CodableSample("a string", "Grüße \u{1F44B}, e\u{301}, \"\\/\n\u{0}"),
      CodableSample("a boolean", true),
      CodableSample("the least integers", Integers.least),
      CodableSample("the greatest integers", Integers.greatest),
      CodableSample(
        "doubles",
        [
          0, 1, -1.5, 0.1, 1e23, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 9_007_199_254_740_992,
          1e-7,
        ]),
      CodableSample(
        "floats", [0, 1, 0.1, 16_777_216, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Float]),
      CodableSample("a struct", Pair(first: 1, second: "a")),
      CodableSample("an empty struct", Empty()),
      CodableSample("optionals", Optionals(some: 1, none: nil)),
      CodableSample("elements that are nil", [1, nil, 3] as [Int?]),
      CodableSample("an enum of strings", [Color.red, .green]),
      CodableSample("an enum of integers", [Level.low, .high]),
      CodableSample(
        "an enum with payloads", [Shape.circle(radius: 1.5), .label("a", Pair(first: 1, second: "b")), .none]),
      CodableSample("arrays in arrays", [[[1, 2], []], [], [[3]]]),
      CodableSample("objects in arrays in objects", ["a": [["b": [1]], [:]], "": []]),
      CodableSample("a dictionary by integers", [1: "a", -2: "b"]),
      CodableSample("a dictionary by an enum", [Color.red: 1]),
      CodableSample("a dictionary by a key of its own", [Key(name: "a"): 1]),
      CodableSample("a dictionary by a struct", [Pair(first: 1, second: "a"): [1, 2]]),
      CodableSample("a set, a range and a UUID", Library()),
      CodableSample(
        "dates", [Date(timeIntervalSinceReferenceDate: 0.25), Date(timeIntervalSince1970: 1_700_000_000)]),
      CodableSample("a class and its superclass", Dog(name: "a", age: 3)),
      CodableSample("superclasses by key and by place", Ancestors(first: 1, second: 2, third: 3)),
      CodableSample(
        "a tree", Tree(name: "a", children: [Tree(name: "b", children: []), Tree(name: "c", children: [])])),
      CodableSample("containers that a type makes itself", Grid(rows: [[1, 2], [], [3]], title: nil)),
      CodableSample("a value in the place of its only property", Wrapper(value: Wrapper(value: ["a": 1]))),
    ]
  }

  /// The value with its members sorted, and with one spelling for equal numbers.
  private func comparable(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number):
      guard !number.literal.utf8.allSatisfy({ $0 == UInt8(ascii: "-") || (0x30...0x39).contains($0) }),
        let double = number.double
      else { return value }
      return Int64(exactly: double).map { JSONValue($0) } ?? JSONNumber(double).map(JSONValue.number) ?? .null
    case .array(let values): return .array(values.map(comparable))
    case .object(let object):
      var sorted = JSONObject()
      for (key, value) in object.sorted(by: { $0.key < $1.key }) { sorted[key] = comparable(value) }
      return .object(sorted)
    case .null, .boolean, .string: return value
    }
  }

  private struct Empty: Codable, Equatable {}

  private struct Integers: Codable, Equatable {
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64

    static let least = Integers(
      int: .min, int8: .min, int16: .min, int32: .min, int64: .min, uint: .min, uint8: .min, uint16: .min,
      uint32: .min, uint64: .min)
    static let greatest = Integers(
      int: .max, int8: .max, int16: .max, int32: .max, int64: .max, uint: .max, uint8: .max, uint16: .max,
      uint32: .max, uint64: .max)
  }

  private enum Color: String, Codable, CodingKeyRepresentable {
    case red, green
  }

  private enum Level: Int, Codable {
    case low = -1
    case high = 10
  }

  private enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case label(String, Pair)
    case none
  }

  private struct Key: Codable, Hashable, CodingKeyRepresentable {
    var name: String
    var codingKey: any CodingKey { Name(stringValue: name) }

    init(name: String) { self.name = name }
    init?(codingKey: some CodingKey) { name = codingKey.stringValue }
  }

  private struct Library: Codable, Equatable {
    var set: Set = ["a"]
    var range = 1..<3
    var id = UUID()
    var date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
    var list: ContiguousArray = [1, 2]
  }

  private class Animal: Codable {
    let name: String

    init(name: String) { self.name = name }
  }

  private final class Dog: Animal, Equatable, @unchecked Sendable {
    let age: Int

    init(name: String, age: Int) {
      self.age = age
      super.init(name: name)
    }

    private enum CodingKeys: CodingKey { case age }

    required init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      age = try members.decode(Int.self, forKey: .age)
      try super.init(from: members.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(age, forKey: .age)
      try super.encode(to: members.superEncoder())
    }

    static func == (left: Dog, right: Dog) -> Bool { left.name == right.name && left.age == right.age }
  }

  private struct Ancestors: Codable, Equatable {
    var first, second, third: Int

    init(first: Int, second: Int, third: Int) {
      (self.first, self.second, self.third) = (first, second, third)
    }

    private enum CodingKeys: CodingKey { case list, other }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      var list = try members.nestedUnkeyedContainer(forKey: .list)
      first = try Int(from: list.superDecoder())
      second = try list.decode(Int.self)
      third = try Int(from: members.superDecoder(forKey: .other))
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      var list = members.nestedUnkeyedContainer(forKey: .list)
      try first.encode(to: list.superEncoder())
      try list.encode(second)
      try third.encode(to: members.superEncoder(forKey: .other))
    }
  }

  private struct Tree: Codable, Equatable {
    var name: String
    var children: [Tree]
  }

  private struct Grid: Codable, Equatable {
    var rows: [[Int]]
    var title: String?

    init(rows: [[Int]], title: String?) { (self.rows, self.title) = (rows, title) }

    private enum CodingKeys: CodingKey { case head, title, rows }

    init(from decoder: any Decoder) throws {
      let members = try decoder.container(keyedBy: CodingKeys.self)
      let head = try members.nestedContainer(keyedBy: CodingKeys.self, forKey: .head)
      title = try head.decodeNil(forKey: .title) ? nil : head.decode(String.self, forKey: .title)
      var list = try members.nestedUnkeyedContainer(forKey: .rows)
      rows = []
      while !list.isAtEnd {
        var row = try list.nestedContainer(keyedBy: CodingKeys.self).nestedUnkeyedContainer(forKey: .rows)
        var numbers: [Int] = []
        while !row.isAtEnd { numbers.append(try row.decode(Int.self)) }
        rows.append(numbers)
      }
    }

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: CodingKeys.self)
      var head = members.nestedContainer(keyedBy: CodingKeys.self, forKey: .head)
      if let title { try head.encode(title, forKey: .title) } else { try head.encodeNil(forKey: .title) }
      var list = members.nestedUnkeyedContainer(forKey: .rows)
      for numbers in rows {
        var inner = list.nestedContainer(keyedBy: CodingKeys.self)
        var row = inner.nestedUnkeyedContainer(forKey: .rows)
        try row.encode(contentsOf: numbers)
      }
    }
  }

  private struct Wrapper<Value: Codable & Equatable & Sendable>: Codable, Equatable {
    var value: Value

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try decoder.singleValueContainer().decode(Value.self) }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }
#endif
