import PushTesting
import PushCore
import Testing

@Suite("Objects keep their order")
struct JSONObjectTests {
  @Test("setting replaces in place or appends, nil removes")
  func editing() {
    var object: JSONObject = ["a": 1, "b": [true], "c": .null]
    object["b"] = "x"
    object["d"] = 0.5
    object["a"] = nil
    object["absent"] = nil
    #expect(object.keys == ["b", "c", "d"])
    #expect(object.count == 3)
    #expect(object["c"] == .null)
    #expect(object["a"] == nil)
    #expect(object.encoded() == Array(#"{"b":"x","c":null,"d":0.5}"#.utf8))
    #expect(object.removeValue(forKey: "c") == .null)
    #expect(object.removeValue(forKey: "c") == nil)
    #expect(object.map(\.key) == ["b", "d"])
    #expect(object.map(\.value) == ["x", 0.5])
    #expect(!object.isEmpty)
    #expect(JSONObject().isEmpty)
  }

  @Test("a large object behaves like a small one")
  func largeObject() {
    var object = JSONObject()
    var expected: [Int] = []
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<3000 {
      let number = Int.random(in: 0..<40, using: &generator)
      if Bool.random(using: &generator) {
        object["k\(number)"] = .number(JSONNumber(number))
        if !expected.contains(number) { expected.append(number) }
      } else {
        let removed = object.removeValue(forKey: "k\(number)")
        #expect((removed != nil) == expected.contains(number))
        expected.removeAll { $0 == number }
      }
      #expect(object.keys == expected.map { "k\($0)" })
    }
    for number in 0..<40 {
      #expect((object["k\(number)"] != nil) == expected.contains(number))
      #expect(object["k\(number)"]?.number?.integer ?? Int64(number) == Int64(number))
    }
  }

  @Test("order and values count for equality")
  func equality() throws {
    let object: JSONObject = ["a": 1, "b": 2]
    #expect(object == ["a": 1, "b": 2])
    #expect(object != ["b": 2, "a": 1])
    #expect(object != ["a": 1, "b": 3])
    #expect(object != ["a": 1])
  }

  @Test("a key listed again replaces the earlier value")
  func literal() {
    let pairs: [(String, JSONValue)] = [("a", 1), ("b", 2), ("a", 3)]
    #expect(JSONObject(dictionaryLiteral: pairs[0], pairs[1], pairs[2]) == ["a": 3, "b": 2])
    #expect(JSONValue(dictionaryLiteral: pairs[0], pairs[1], pairs[2]) == ["a": 3, "b": 2])
  }

  @Test("a value of another type is refused", arguments: ["[]", "\"a\"", "1", "true", "null"])
  func notAnObject(text: String) {
    let bytes = Array(" \(text)".utf8)
    #expect(throws: JSONError(.notAnObject, at: 1)) { try JSONObject(parsing: bytes.span) }
  }

  @Test("the object must be the whole input")
  func wholeInput() throws {
    let bytes = Array(#" {"z":1,"a":{}} "#.utf8)
    #expect(try JSONObject(parsing: bytes.span) == ["z": 1, "a": [:]])
    let trailing = Array("{}x".utf8)
    #expect(throws: JSONError(.trailingBytes, at: 2)) { try JSONObject(parsing: trailing.span) }
    #expect(throws: JSONError(.tooDeep, at: 1)) { try JSONObject(parsing: bytes.span, maximumDepth: 0) }
  }
}
