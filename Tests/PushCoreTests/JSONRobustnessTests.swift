import PushTesting
import PushCore
import TestSupport
import Testing

@Suite("No input breaks the reader")
struct JSONRobustnessTests {
  @Test("the sample document comes back, byte for byte once it is canonical")
  func sample() throws {
    let value = try parse(sampleDocument)
    let canonical = value.encoded()
    #expect(try parse(canonical) == value)
    #expect(try parse(canonical).encoded() == canonical)
    #expect(value.object?["n"]?.array?.last?.number?.literal == "12345678901234567890")
  }

  @Test("every prefix of a document is refused")
  func prefixes() {
    let bytes = Array(sampleDocument.utf8)
    for length in 0..<bytes.count {
      #expect(throws: JSONError.self, "\(length) bytes") { try parse(Array(bytes[..<length])) }
    }
  }

  @Test("a mutated document that is read can be written and read again as the same")
  func mutations() throws {
    let original = Array(sampleDocument.utf8)
    var generator = SeededGenerator(seed: 3)
    var accepted = 0
    var reasons: Set<JSONError.Reason> = []
    for _ in 0..<20_000 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        mutate(&bytes, &generator)
      }
      do throws(JSONError) {
        let value = try parse(bytes)
        accepted += 1
        #expect(try parse(value.encoded()) == value)
        #expect(String(decoding: bytes, as: UTF8.self).utf8.elementsEqual(bytes))
      } catch {
        reasons.insert(error.reason)
        #expect((0...bytes.count).contains(error.offset))
      }
    }
    #expect(accepted > 100)
    #expect(reasons.isSuperset(of: [.unexpectedByte, .invalidUTF8, .controlCharacter, .invalidEscape]))
  }

  private func mutate(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
    let position = Int.random(in: 0..<bytes.count, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    case 1: bytes[position] = UInt8.random(in: 0...255, using: &generator)
    case 2: bytes.remove(at: position)
    default: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: position)
    }
  }

  @Test("noise is refused")
  func noise() {
    var generator = SeededGenerator(seed: 4)
    for length in 2..<2000 {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0x20...255, using: &generator) }
      #expect(throws: JSONError.self) { try parse(bytes) }
    }
  }

  @Test("any value comes back from its bytes")
  func valueRoundTrip() throws {
    var generator = SeededGenerator(seed: 5)
    for _ in 0..<500 {
      let value = generator.value(depth: 4)
      let bytes = value.encoded()
      #expect(try parse(bytes) == value)
      #expect(try parse(bytes).encoded() == bytes)
    }
  }

  @Test("time grows with the size, not with its square", .hangGuard)
  func largeInputs() throws {
    let members = (0..<100_000).map { #""k\#($0)":\#($0)"# }.joined(separator: ",")
    let object = try #require(try parse("{\(members)}").object)
    #expect(object.count == 100_000)
    #expect(object["k99999"] == 99_999)

    let string = String(repeating: "é\\n", count: 500_000)
    #expect(try parse("\"\(string)\"").string?.utf8.count == 1_500_000)
    let digits = String(repeating: "7", count: 1_000_000)
    #expect(print(try parse(digits)) == digits)
    #expect(try parse(digits).number?.integer == nil)
    #expect(try parse(digits).number?.double == nil)
    #expect(try parse("0.\(digits)").number?.double == 7.0 / 9)
    #expect(try parse("[\(String(repeating: "[],", count: 300_000))0]").array?.count == 300_001)
  }
}
