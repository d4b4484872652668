import Foundation
import PushCore
import Testing

@Suite("Nesting is limited before it is followed")
struct JSONDepthTests {
  private func nested(_ opening: String, _ closing: String, count: Int) -> String {
    String(repeating: opening, count: count) + "0" + String(repeating: closing, count: count)
  }

  @Test("32 levels are read, 33 are not", arguments: [("[", "]"), (#"{"a":"#, "}"), (#"[{"a":"#, "}]")])
  func limit(opening: String, closing: String) throws {
    let levels = opening.filter { $0 == "[" || $0 == "{" }.count
    let text = nested(opening, closing, count: 32 / levels)
    #expect(print(try parse(text)) == text)
    let deepest = Array(("[" + text).utf8).lastIndex { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "{") }
    let offset = try #require(deepest)
    #expect(throws: JSONError(.tooDeep, at: offset)) { try parse("[" + text + "]") }
  }

  @Test("sibling values do not add to the depth")
  func siblings() throws {
    let one = nested("[", "]", count: 31)
    let value = try parse("[\(one),\(one),\(one)]")
    #expect(value.array?.count == 3)
  }

  @Test("a lower limit counts containers only", arguments: [0, 1, 2])
  func lowerLimit(limit: Int) throws {
    #expect(try parse(nested("[", "]", count: limit), maximumDepth: limit).encoded().count == 2 * limit + 1)
    #expect(throws: JSONError(.tooDeep, at: limit)) {
      try parse(nested("[", "]", count: limit + 1), maximumDepth: limit)
    }
  }

  @Test("a hundred thousand unclosed containers are refused at the limit", arguments: ["[", #"{"a":"#])
  func unclosed(opening: String) {
    let text = String(repeating: opening, count: 100_000)
    #expect(throws: JSONError(.tooDeep, at: 32 * opening.utf8.count)) { try parse(text) }
    #expect(throws: JSONError(.tooDeep, at: 128 * opening.utf8.count)) { try parse(text, maximumDepth: .max) }
    #expect(throws: JSONError(.tooDeep, at: 0)) { try parse(text, maximumDepth: .min) }
  }

  @Test("the deepest nesting of all fits a thread's small stack")
  func smallStack() async {
    let text = nested(#"{"a":"#, "}", count: 64).replacingOccurrences(
      of: "0", with: nested("[", "]", count: 64))
    let isSame = await withCheckedContinuation { continuation in
      let thread = Thread {
        let value = try? parse(text, maximumDepth: 128)
        continuation.resume(
          returning: value.map(print) == text && value == (try? parse(text, maximumDepth: 128)))
      }
      thread.stackSize = 512 * 1024
      thread.start()
    }
    #expect(isSame)
  }
}
