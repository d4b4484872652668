import TestSupport
import Testing

@Suite("Payloads that are wrong", .serialized)
struct PayloadFaultTests {
  /// What is no strict JSON object.
  private static let faults: [(name: String, bytes: [UInt8])] = [
    ("empty", []), ("blank", Array("  \n".utf8)), ("text", Array("hello".utf8)), ("array", Array("[1]".utf8)),
    ("cut", Array(#"{"aps":{"#.utf8)), ("trailing comma", Array(#"{"aps":{},}"#.utf8)),
    ("two objects", Array("{}{}".utf8)), ("byte order mark", [0xef, 0xbb, 0xbf] + Array("{}".utf8)),
    ("duplicate key", Array(#"{"aps":{"alert":"a"},"aps":{"alert":"b"}}"#.utf8)),
    ("escaped duplicate key", Array(#"{"a":1,"\u0061":2}"#.utf8)),
    ("binary", (0...255).map { $0 }), ("broken UTF-8", Array("{\"a\":\"".utf8) + [0xff] + Array("\"}".utf8)),
    ("deep", [UInt8](repeating: UInt8(ascii: "["), count: 100_000)),
    ("UTF-16", Array("{}".utf16.flatMap { [UInt8($0 & 0xff), 0] })),
  ]

  @Test(arguments: ["seal", "open", "simulate", "inspect"]) func whatIsNotStrictJSON(command: String)
    async throws
  {
    let pair = try await Pair()
    let line = ["seal": pair.seal, "open": pair.open, "simulate": pair.simulate][command] ?? command
    for fault in Self.faults {
      try await pair.tool.refuse(line, 65, "the payload is not strict JSON", input: .bytes(fault.bytes))
    }
    let huge = [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) + 1)
    try await pair.tool.refuse(line, 65, "longer than 1048576 bytes", input: .bytes(huge))
    try await pair.tool.refuse("\(line) --in nowhere.json", 66, "cannot read nowhere.json")
    try await pair.tool.refuse("\(line) --in .", 66, "cannot read .")
    let closed = try await pair.tool.shell("sealpush \(line) <&-")
    closed.expectRefusal("closed input", 66, "cannot read standard input")
  }

  @Test(.hangGuard) func anEndlessInputIsNotReadToItsEnd() async throws {
    let pair = try await Pair()
    try await pair.tool.refuse("\(pair.seal) --in /dev/zero", 65, "longer than 1048576 bytes")
    try await pair.tool.refuse(pair.seal, 65, "longer than 1048576 bytes", input: .file("/dev/zero"))
  }

  @Test(arguments: [
    (#"{}"#, "aps"), (#"{"aps":1}"#, "aps"), (#"{"aps":{}}"#, "no title and no body"),
    (#"{"aps":{"alert":{"title":""}}}"#, "no title and no body"),
    (#"{"aps":{"alert":"a","badge":"3"}}"#, "badge"), (#"{"aps":{"alert":"a","badge":1.5}}"#, "badge"),
    (#"{"aps":{"alert":"a"},"ENCRYPTED_DATA":""}"#, "'ENCRYPTED_DATA', which is reserved"),
    (#"{"aps":{"alert":"a"},"sealed-push":{}}"#, "'sealed-push', which is reserved"),
  ])
  func whatIsNotARightPayload(payload: String, message: String) async throws {
    let pair = try await Pair()
    try await pair.tool.refuse(pair.seal, 65, message, input: .text(payload))
  }

  @Test(arguments: suites, Sending.allCases)
  func whatDoesNotFit(suite: String, sending: Sending) async throws {
    // What inspect --capacity says fits does; a byte more is refused with both numbers.
    struct Row: Decodable {
      let pushType: String
      let suite: String
      let signed: Bool
      let body: Int
    }
    let pair = try await Pair(suite: suite, sending)
    let rows = try await pair.tool.succeed("inspect --capacity --json").json([Row].self)
    for (type, limit) in [("alert", 4096), ("voip", 5120)] {
      let row = try #require(
        rows.first { $0.pushType == type && $0.suite == suite && $0.signed == (sending == .signed) })
      func payload(_ count: Int) -> Tool.Input {
        .text(#"{"aps":{"alert":{"body":"\#(String(repeating: "a", count: count))"}}}"#)
      }
      let line = "\(pair.seal) --push-type \(type)"
      let full = try await pair.tool.succeed(line, input: payload(row.body))
      #expect(full.output.count > limit - 4 && full.output.count <= limit)
      let run = try await pair.tool.refuse(line, 65, "too large", input: payload(row.body + 1))
      let numbers = run.errors.split { !$0.isNumber }.compactMap { Int($0) }
      #expect(numbers.count == 2 && numbers[0] > limit && numbers[1] == limit, "\(run.errors)")
      // A VoIP push has no body, so that nothing can be shortened.
      #expect(
        run.error?.hasSuffix("; --fit truncate shortens the body") == (type == "alert"), "\(run.errors)")
    }
  }
}
