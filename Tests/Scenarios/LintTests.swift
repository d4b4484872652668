import Testing

@Suite("Looking through a payload")
struct LintTests {
  /// A sealed payload of a type, with some text in it replaced.
  private func sealed(
    _ type: String = "alert", _ text: String = "", with other: String = ""
  ) async throws -> (tool: Tool, payload: String) {
    let pair = try await Pair()
    let content =
      type == "liveactivity"
      ? #"{"aps":{"timestamp":1,"event":"update","content-state":{"score":[3,1]},"alert":{"title":"Goal"}}}"#
      : sample
    let run = try await pair.tool.succeed("\(pair.seal) --push-type \(type)", input: .text(content))
    return (pair.tool, text.isEmpty ? run.text : run.text.replacing(text, with: other))
  }

  @Test(arguments: ["alert", "background", "voip", "complication", "pushtotalk", "liveactivity"])
  func nothingToSay(type: String) async throws {
    let (tool, payload) = try await sealed(type)
    #expect(try await tool.succeed("lint --strict", input: .text(payload)).text.isEmpty)
    #expect(try await tool.succeed("lint --strict --push-type \(type)", input: .text(payload)).text.isEmpty)
  }

  @Test func aWarning() async throws {
    let (tool, payload) = try await sealed(
      "alert", #""mutable-content":1"#, with: #""mutable-content":1,"badge":1"#)
    let run = try await tool.run("lint", input: .text(payload))
    #expect(run.status == 0)
    #expect(run.text.hasPrefix("warning: aps.badge: visible-badge: "))
    let strict = try await tool.run("lint --strict --json", input: .text(payload))
    #expect(strict.status == 65)
    #expect(strict.text == #"{"severity":"warning","code":"visible-badge","key":"aps.badge"}"# + "\n")
  }

  @Test func aFault() async throws {
    let (tool, payload) = try await sealed(
      "alert", #""mutable-content":1"#, with: #""mutable-content":1,"badge":"3""#)
    let run = try await tool.run("lint", input: .text(payload))
    #expect(run.status == 65)
    #expect(run.text.hasPrefix("error: aps.badge: "))
  }

  @Test(
    "plaintext beside an envelope fails a strict check",
    arguments: [
      ("liveactivity", #""content-state":{"#, #""content-state":{"score":[3,1],"#, "aps.content-state.score"),
      (
        "liveactivity", #""content-state":{"#, #""attributes":{"home":"Ada"},"content-state":{"#,
        "aps.attributes.home"
      ),
      ("liveactivity", #""sound":"default""#, #""sound":"hiv.caf""#, "aps.alert.sound"),
      ("alert", #""alert":{"#, #""alert":{"loc-key":"HIV_RESULT_POSITIVE","#, "aps.alert.loc-key"),
      (
        "alert", #""alert":{"#, #""alert":{"title-loc-key":"HIV_RESULT_POSITIVE","#, "aps.alert.title-loc-key"
      ),
      (
        "alert", #""alert":{"#, #""alert":{"subtitle-loc-key":"HIV_RESULT_POSITIVE","#,
        "aps.alert.subtitle-loc-key"
      ),
      ("alert", #""alert":{"#, #""alert":{"launch-image":"HIV_RESULT_POSITIVE","#, "aps.alert.launch-image"),
      ("alert", #""ENCRYPTED_DATA":""#, #""ENCRYPTED_DATA":3,"other":""#, "ENCRYPTED_DATA"),
      (
        "alert", #""ENCRYPTED_DATA":""#, #""ENCRYPTED_DATA":"Ada is HIV positive","other":""#,
        "ENCRYPTED_DATA"
      ),
      (
        "alert", #""ENCRYPTED_DATA":""#, #""ENCRYPTED_DATA":"\#(String(repeating: "A", count: 4096))"#,
        "payload"
      ),
    ])
  func plaintext(type: String, text: String, other: String, key: String) async throws {
    let (tool, payload) = try await sealed(type, text, with: other)
    let run = try await tool.run("lint --strict", input: .text(payload))
    #expect(run.status == 65)
    #expect(run.lines.contains { $0.contains(": \(key): ") }, "\(run.text)")
  }

  @Test func theLimitIsThePushTypes() async throws {
    let tool = try Tool()
    func payload(_ size: Int) -> String { #"{"aps":{}}"# + String(repeating: " ", count: size - 10) }
    func isTooLarge(_ size: Int, _ options: String = "") async throws -> Bool {
      let run = try await tool.run("lint \(options)", input: .text(payload(size)))
      #expect(run.status == (run.text.contains("too-large") ? 65 : 0))
      return run.text.contains("error: payload: too-large: APNs accepts 4096 bytes, and 5120 with")
    }
    #expect(try await !isTooLarge(4096))
    #expect(try await isTooLarge(4097))
    #expect(try await !isTooLarge(5120, "--push-type voip"))
    #expect(try await isTooLarge(5121, "--push-type voip"))
    try await tool.refuse("lint --push-type fax", 64, "--push-type must be alert, background, voip")
  }

  @Test func whatTheAppWouldNotGetAsItIs() async throws {
    let pair = try await Pair()
    let payload = #"{"aps":{"alert":"b"},"acme":{"list":[1,2,null],"n":18446744073709551615}}"#
    let warnings = [
      "warning: acme.list[2]: null-dropped: userInfo cannot hold null, so the app does not get it; leave it out",
      "warning: acme.n: number-as-text: userInfo cannot hold this number, so the app gets its digits as a string; "
        + "send a string",
    ]
    let lint = try await pair.tool.succeed("lint", input: .text(payload))
    #expect(Array(lint.lines.prefix(2)) == warnings)
    let seal = try await pair.tool.succeed(pair.seal, input: .text(payload))
    #expect(seal.errors == warnings.map { "sealpush: \($0)\n" }.joined())
    let strict = try await pair.tool.run("\(pair.seal) --strict", input: .text(payload))
    #expect(strict.status == 65 && strict.text.isEmpty)
    let data = try await pair.tool.succeed("\(pair.seal) --strict --push-type voip", input: .text(payload))
    #expect(data.errors.isEmpty)
  }
}
