import PushCore
import PushReceiver
import TestSupport
import Testing

/// How long a log gets, and its lines.
@Suite(.hangGuard)
struct DiagnosticsLogBoundTests {
  private let folder: TemporaryFolder
  private let log: DiagnosticsLog

  init() throws {
    folder = try TemporaryFolder()
    log = DiagnosticsLog(path: folder.file)
  }

  @Test(
    "a step's name is cut at 64 bytes",
    arguments: [
      (String(repeating: "a", count: 65), String(repeating: "a", count: 64)),
      (String(repeating: "ä", count: 33), String(repeating: "ä", count: 32)),
      ("a" + String(repeating: "ä", count: 32), "a" + String(repeating: "ä", count: 31)),
      (#""\"#, #""\"#), ("", ""),
    ])
  func stepNames(name: String, expected: String) throws {
    log.observe(.late, of: name, for: .at(Parties.now))
    #expect(try log.read().summary == ["\(expected): late"])
  }

  @Test("a step's name has no character that is not to be seen")
  func printable() throws {
    log.observe(.late, of: "a\u{1b}[2J\n\u{202e}\u{9b}\u{2028}z", for: .at(Parties.now))
    #expect(try log.read().summary == ["a?[2J????z: late"])
  }

  @Test("lines stay in order, and the oldest go when it is full")
  func bound() throws {
    let log = DiagnosticsLog(path: folder.file, capacity: 3)
    for number in 1...5 { log.observe(.late, of: "\(number)", for: .at(Parties.now)) }
    #expect(try log.read().summary == ["3: late", "4: late", "5: late"])
    DiagnosticsLog(path: folder.file, capacity: 1).observe(.late, of: "6", for: .at(Parties.now))
    #expect(try log.read().summary == ["6: late"])
  }

  @Test("a capacity is brought into its bounds", arguments: [(Int.min, 1), (0, 1), (1, 1), (.max, 1000)])
  func capacities(asked: Int, had: Int) throws {
    let log = DiagnosticsLog(path: folder.file, capacity: asked)
    #expect(log.capacity == had)
    log.observe(.late, of: "step", for: .at(Parties.now))
    #expect(try log.read().entries.count == 1)
  }

  @Test("a full log of the longest lines is written, and read")
  func longest() throws {
    let word = String(repeating: #"\""#, count: 32)
    let line = #"{"time":9007199254740991,"step":\#(quoted(word)),"failure":\#(quoted(word))}"#
    let lines = Array(repeating: line, count: 1000).joined(separator: ",")
    try folder.write(#"{"v":1,"entries":[\#(lines)]}"#.utf8)
    let log = DiagnosticsLog(path: folder.file, capacity: 1000)
    log.observe(.late, of: word, for: .at(.distantFuture))
    let record = try log.read()
    #expect(record.entries.count == 1000)
    #expect(record.summary.last == "\(word): late")
  }

  private func quoted(_ text: String) -> String {
    String(decoding: JSONValue.string(text).encoded(), as: UTF8.self)
  }
}
