import PushCore
import PushTesting
import TestSupport
import Testing

@Suite("Codable types as JSON", .hangGuard)
struct JSONCodableTests {
  @Test("members are in the order of encoding, and a repeated key replaces in place")
  func order() throws {
    let value = try encoded { encoder in
      var members = encoder.container(keyedBy: Name.self)
      for (number, key) in ["z", "a", "m", "a"].enumerated() {
        try members.encode(number, forKey: Name(stringValue: key))
      }
    }
    #expect(print(value) == #"{"z":0,"a":3,"m":2}"#)
  }

  @Test("an absent member is left out, and nil is null")
  func absent() throws {
    #expect(print(try JSONValue(encoding: Optionals(some: 1, none: nil))) == #"{"some":1}"#)
    #expect(print(try JSONValue(encoding: [1, nil] as [Int?])) == "[1,null]")
    #expect(try JSONValue(encoding: String?.none) == .null)
    #expect(
      try parse(#"{"some":1,"none":null}"#).decode(as: Optionals.self) == Optionals(some: 1, none: nil))
  }

  @Test("keys are told apart by their bytes, not by their look")
  func exactKeys() throws {
    let (composed, decomposed): (Name, Name) = ("\u{e9}", "e\u{301}")
    let value = try encoded { encoder in
      var members = encoder.container(keyedBy: Name.self)
      try members.encode(1, forKey: composed)
      try members.encode(2, forKey: decomposed)
    }
    #expect(print(value) == "{\"\u{e9}\":1,\"e\u{301}\":2}")
    let members = try value.decode(as: Reading.self).decoder.container(keyedBy: Name.self)
    #expect(members.allKeys.count == 2)
    #expect(try members.decode(Int.self, forKey: composed) == 1)
    #expect(try members.decode(Int.self, forKey: decomposed) == 2)
  }

  @Test("the containers of one value may be filled in turns")
  func turns() throws {
    let value = try encoded { encoder in
      var outer = encoder.container(keyedBy: Name.self)
      var inner = outer.nestedUnkeyedContainer(forKey: "inner")
      try outer.encode(1, forKey: "a")
      try inner.encode(2)
      var same = encoder.container(keyedBy: Name.self)
      try same.encode(3, forKey: "b")
      var nested = inner.nestedContainer(keyedBy: Name.self)
      try nested.encode(4, forKey: "c")
      try inner.encodeNil()
      #expect(inner.count == 3)
    }
    #expect(print(value) == #"{"inner":[2,{"c":4},null],"a":1,"b":3}"#)
  }

  @Test("a part that encodes nothing is an empty object")
  func nothing() throws {
    let value = try encoded { encoder in
      var members = encoder.container(keyedBy: Name.self)
      try members.encode(Writing { _ in }, forKey: "a")
      _ = members.superEncoder()
    }
    #expect(print(value) == #"{"a":{},"super":{}}"#)
  }

  @Test("a decoder's containers know their keys, their elements and their place")
  func places() throws {
    let decoder = try parse(#"{"a":[null,{"b":1}],"n":null}"#).decode(as: Reading.self).decoder
    #expect(decoder.userInfo.isEmpty)
    let members = try decoder.container(keyedBy: Name.self)
    #expect(members.allKeys.map(\.stringValue) == ["a", "n"])
    #expect(members.contains("a"))
    #expect(!members.contains("b"))
    #expect(try members.decodeNil(forKey: "n"))
    #expect(try !members.decodeNil(forKey: "a"))
    var elements = try members.nestedUnkeyedContainer(forKey: "a")
    #expect(elements.count == 2)
    #expect(try elements.decodeNil())
    #expect(try !elements.decodeNil())
    #expect(elements.currentIndex == 1)
    #expect(throws: DecodingError.self) { try elements.decode(Int.self) }
    #expect(elements.currentIndex == 1)
    let inner = try elements.nestedContainer(keyedBy: Name.self)
    #expect(inner.codingPath.map(\.stringValue) == ["a", "Index 1"])
    #expect(elements.isAtEnd)
    #expect(try members.superDecoder().singleValueContainer().decodeNil())
  }

  @Test("values are made from variables")
  func variables() {
    let (text, flag, small, large) = ("a", true, 1, Int64.max)
    let object: JSONObject = ["b": 2]
    let values = [JSONValue(text), JSONValue(flag), JSONValue(small), JSONValue(large), JSONValue(object)]
    #expect(print(JSONValue(values)) == #"["a",true,1,9223372036854775807,{"b":2}]"#)
  }

  @Test("an object can be asked for")
  func object() throws {
    #expect(try JSONObject(encoding: ["a": 1]) == ["a": 1])
    #expect(try JSONObject(encoding: ["a": 1]).decode(as: [String: Int].self) == ["a": 1])
    try expectEncodingError("The value is not encoded as a JSON object.") {
      try JSONObject(encoding: [1, 2])
    }
  }

  @Test("any value comes back through a type that takes all")
  func anything() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let value = generator.value(depth: 4)
      #expect(try JSONValue(encoding: value.decode(as: Anything.self)) == value)
    }
  }

  @Test("an array and an object of fifty thousand values take time in proportion")
  func large() throws {
    let numbers = Array(0..<50_000)
    #expect(try JSONValue(encoding: numbers).decode(as: [Int].self) == numbers)
    let members = Dictionary(uniqueKeysWithValues: numbers.map { ("k\($0)", $0) })
    #expect(try JSONValue(encoding: members).decode(as: [String: Int].self) == members)
  }
}

/// Encodes what a closure writes.
func encoded(_ write: @escaping (any Encoder) throws -> Void) throws -> JSONValue {
  try JSONValue(encoding: Writing(write: write))
}

/// Encodes itself by a closure.
struct Writing: Encodable {
  let write: (any Encoder) throws -> Void

  func encode(to encoder: any Encoder) throws { try write(encoder) }
}

/// Keeps the decoder that it was given.
struct Reading: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) throws { self.decoder = decoder }
}

/// Any JSON value whose numbers are 64-bit integers and doubles.
indirect enum Anything: Codable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case text(String)
  case elements([Anything])
  case members([(Name, Anything)])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let boolean = try? value.decode(Bool.self) {
      self = .boolean(boolean)
    } else if let integer = try? value.decode(Int64.self) {
      self = .integer(integer)
    } else if let double = try? value.decode(Double.self) {
      self = .double(double)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let members = try? decoder.container(keyedBy: Name.self) {
      self = .members(try members.allKeys.map { ($0, try members.decode(Anything.self, forKey: $0)) })
    } else {
      self = .elements(try value.decode([Anything].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var value = encoder.singleValueContainer()
    switch self {
    case .null: try value.encodeNil()
    case .boolean(let boolean): try value.encode(boolean)
    case .integer(let integer): try value.encode(integer)
    case .double(let double): try value.encode(double)
    case .text(let text): try value.encode(text)
    case .elements(let elements): try value.encode(elements)
    case .members(let members):
      var container = encoder.container(keyedBy: Name.self)
      for (name, member) in members { try container.encode(member, forKey: name) }
    }
  }
}

/// Any key.
struct Name: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
  init(stringLiteral value: String) { stringValue = value }
}

struct Optionals: Codable, Equatable {
  var some: Int?
  var none: Int?
}

/// Expects an `EncodingError` with this description, at these keys.
func expectEncodingError(
  _ description: String, at path: [String] = [], sourceLocation: SourceLocation = #_sourceLocation,
  when encode: () throws -> some Sendable
) throws {
  let error = #expect(throws: EncodingError.self, sourceLocation: sourceLocation) { try encode() }
  guard case .invalidValue(_, let context)? = error else { return }
  #expect(context.debugDescription == description, sourceLocation: sourceLocation)
  #expect(context.codingPath.map(\.stringValue) == path, sourceLocation: sourceLocation)
}

/// Expects a `DecodingError` of a kind with this description, at these keys.
func expectDecodingError(
  _ kind: String, _ description: String, at path: [String] = [],
  sourceLocation: SourceLocation = #_sourceLocation, when decode: () throws -> some Sendable
) throws {
  let error = try #require(
    #expect(throws: DecodingError.self, sourceLocation: sourceLocation) { try decode() },
    sourceLocation: sourceLocation)
  let (found, context) =
    switch error {
    case .typeMismatch(_, let context): ("type", context)
    case .valueNotFound(_, let context): ("value", context)
    case .keyNotFound(let key, let context): ("key \(key.stringValue)", context)
    case .dataCorrupted(let context): ("data", context)
    @unknown default: throw error
    }
  #expect(found == kind, sourceLocation: sourceLocation)
  #expect(context.debugDescription == description, sourceLocation: sourceLocation)
  #expect(context.codingPath.map(\.stringValue) == path, sourceLocation: sourceLocation)
}

struct Pair: Codable, Hashable {
  var first: Int
  var second: String
}
