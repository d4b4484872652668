import Foundation
import PushCore
import TestSupport
import Testing

@Suite("What Codable types cannot be as JSON", .hangGuard)
struct JSONCodableFaultsTests {
  @Test("32 levels are encoded, 33 are not")
  func depth() throws {
    #expect(try JSONValue(encoding: Nested(levels: 32)) == parse(nested(levels: 32)))
    try expectTooDeep(at: 32) { try JSONValue(encoding: Nested(levels: 33)) }
    try expectTooDeep(at: 33) { try JSONValue(encoding: Nested(levels: 1_000_000)) }
  }

  @Test("nested containers are too deep as well, however many they are")
  func nestedContainers() throws {
    func nest(levels: Int) throws -> JSONValue {
      try encoded { encoder in
        var container = encoder.unkeyedContainer()
        for _ in 1..<levels { container = container.nestedUnkeyedContainer() }
      }
    }
    #expect(
      print(try nest(levels: 32)) == String(repeating: "[", count: 32) + String(repeating: "]", count: 32))
    try expectTooDeep(at: 32) { try nest(levels: 33) }
    try expectTooDeep(at: 32) { try nest(levels: 100_000) }
  }

  @Test("an empty object for a part that encodes nothing is a level too")
  func nothingTooDeep() throws {
    try expectTooDeep(at: 32) {
      try encoded { encoder in
        var container = encoder.unkeyedContainer()
        for _ in 1..<32 { container = container.nestedUnkeyedContainer() }
        _ = container.superEncoder()
      }
    }
  }

  @Test("a type that encodes itself without end is refused")
  func endlessEncoding() throws {
    try expectEncodingError("The value is nested too deeply.", at: ["Index 0"]) {
      try JSONValue(encoding: [Endless()])
    }
  }

  private func expectTooDeep(at count: Int, when encode: () throws -> JSONValue) throws {
    let path = (0..<count).map { _ in "Index 0" }
    try expectEncodingError("The value is nested more than 32 levels deep.", at: path, when: encode)
  }

  @Test("what is nested too deeply is not decoded, and uses up no stack")
  func tooDeepToDecode() async throws {
    #expect(try parse(nested(levels: 32)).decode(as: Nested.self) == Nested(levels: 32))
    try expectDecodingError("data", "The value is nested too deeply.") {
      try parse("[]").decode(as: Endless.self)
    }
    let path = (0..<64).map { _ in "Index 0" }
    let deep = try parse(nested(levels: 128), maximumDepth: 128)
    try expectDecodingError("data", "The value is nested too deeply.", at: path) {
      try deep.decode(as: Twice.self)
    }
    #expect(await fitsSmallStack { _ = try? deep.decode(as: Twice.self) })
    #expect(await fitsSmallStack { _ = try? JSONValue(encoding: Endless()) })
    #expect(await fitsSmallStack { _ = try? JSONValue(encoding: Nested(levels: 1000)) })
  }

  private func fitsSmallStack(_ body: @escaping @Sendable () -> Void) async -> Bool {
    await withCheckedContinuation { continuation in
      let thread = Thread {
        body()
        continuation.resume(returning: true)
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
  }

  private func nested(levels: Int) -> String {
    String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
  }

  @Test("a type that encodes no value is refused")
  func noValue() throws {
    try expectEncodingError("The type encodes no value.") { try encoded { _ in } }
  }

  @Test(
    "a type that encodes two values in the place of one is refused",
    arguments: [
      { encoder in
        var container = encoder.singleValueContainer()
        try container.encode(1)
        try container.encodeNil()
      },
      { encoder in
        _ = encoder.unkeyedContainer()
        _ = encoder.container(keyedBy: Name.self)
      },
      { encoder in
        var container = encoder.singleValueContainer()
        try container.encode([1])
        try container.encode([2])
      },
      { encoder in
        var container = encoder.singleValueContainer()
        try container.encode("a")
        var elements = encoder.unkeyedContainer()
        try elements.encode("b")
      },
    ] as [@Sendable (any Encoder) throws -> Void])
  func twoValues(write: @escaping @Sendable (any Encoder) throws -> Void) throws {
    try expectEncodingError("The type encodes more than one value in the place of one.", at: ["Index 0"]) {
      try JSONValue(encoding: [Writing(write: write)])
    }
  }

  @Test("a value of another type is refused, and not shown")
  func mismatches() throws {
    let object = try parse(#"{"text":"secret","flag":true,"number":1,"list":[1],"object":{}}"#)
    func expect<Value: Decodable & Sendable>(_ type: Value.Type, at key: String, _ description: String)
      throws
    {
      try expectDecodingError("type", description, at: [key]) {
        try object.decode(as: Reading.self).decoder.container(keyedBy: Name.self)
          .decode(type, forKey: Name(stringValue: key))
      }
    }
    try expect(Int.self, at: "text", "Expected Int, found a string.")
    try expect(String.self, at: "number", "Expected String, found a number.")
    try expect(Int.self, at: "flag", "Expected Int, found a boolean.")
    try expect(Bool.self, at: "number", "Expected Bool, found a number.")
    try expect(Double.self, at: "object", "Expected Double, found an object.")
    try expect([String: Int].self, at: "list", "Expected an object, found an array.")
    try expect([Int].self, at: "object", "Expected an array, found an object.")
  }

  @Test("null is the value of no type that is not optional")
  func null() throws {
    try expectDecodingError("value", "Expected Int, found null.", at: ["Index 1"]) {
      try parse("[1,null]").decode(as: [Int].self)
    }
    try expectDecodingError("value", "Expected an object, found null.") {
      try parse("null").decode(as: Optionals.self)
    }
  }

  @Test("a member that is not there is named")
  func absent() throws {
    try expectDecodingError("key first", "The object has no member with this key.", at: ["Index 0"]) {
      try parse(#"[{"second":1}]"#).decode(as: [Pair].self)
    }
  }

  @Test("an array has no element after its last")
  func pastTheEnd() throws {
    try expectDecodingError("value", "The array has no more elements.", at: ["Index 0"]) {
      var elements = try parse("[]").decode(as: Reading.self).decoder.unkeyedContainer()
      return try elements.decode(Int.self)
    }
  }
}

/// An array in an array, and so on.
private struct Nested: Codable, Equatable {
  let levels: Int

  init(levels: Int) { self.levels = levels }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    if levels > 1 { try container.encode(Nested(levels: levels - 1)) }
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    levels = container.isAtEnd ? 1 : try container.decode(Nested.self).levels + 1
  }
}

/// Takes two calls for each array.
private indirect enum Twice: Decodable {
  case nested([Twice])

  init(from decoder: any Decoder) throws {
    self = .nested(try decoder.singleValueContainer().decode([Twice].self))
  }
}

/// Has itself as its only value.
private struct Endless: Codable {
  init() {}

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }

  init(from decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Endless.self) }
}
