import Testing

/// What must not change what the tool says.
@Suite("Where the tool runs", .serialized)
struct SurroundingsTests {
  private static let surroundings: [[String: String]] = [
    ["LC_ALL": "C", "TZ": "UTC"], ["LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "Asia/Seoul"],
    ["LC_ALL": "de_DE.UTF-8", "TZ": "America/St_Johns"], ["LC_ALL": "nonsense", "TZ": ":nowhere"],
    ["HOME": "/nowhere", "NO_COLOR": "1", "TERM": "xterm-256color"], ["HOME": "", "TERM": "dumb"],
  ]

  @Test func languageAndTimeZone() async throws {
    let pair = try await Pair()
    try await pair.tool.succeed("keys rotate --keys device.jwks --now \(start + day)")
    let capitals = #"{"aps":{"alert":{"title":"TITLE İıIi","body":"1,5 ₺ 𝄞"}},"KIND":1.50}"#
    try pair.tool.write(capitals, to: "payload.json")
    try await pair.tool.succeed("\(pair.seal) --now \(start + day) --in payload.json --out sealed.json")
    let lines = [
      "keys list --keys device.jwks", "keys list --keys device.jwks --json", "keys export --keys device.jwks",
      "inspect --in sealed.json", "inspect --in sealed.json --json", "inspect --capacity",
      "\(pair.open) --now \(start + day) --in sealed.json", "--help", "seal --help",
      "\(pair.simulate) --now \(start + day) --in sealed.json --json",
      "\(pair.simulate) --now \(start + day) --in sealed.json",
    ]
    for line in lines {
      let expected = try await pair.tool.succeed(line)
      for environment in Self.surroundings {
        let run = try await pair.tool.run(line, environment: environment)
        #expect(
          run.status == 0 && run.output == expected.output && run.errors == expected.errors,
          "\(line) \(environment)")
      }
    }
    let opened = try await pair.tool.succeed("\(pair.open) --now \(start + day) --in sealed.json")
    #expect(opened.text == capitals)
  }

  @Test func errorsAreTheSameEverywhere() async throws {
    let tool = try Tool()
    for environment in Self.surroundings {
      let run = try await tool.run("keys list --keys nowhere", environment: environment)
      #expect(run.errors == "sealpush: error: there is no nowhere\n")
    }
  }

  @Test(arguments: ["000", "077", "777"]) func theFileModeMask(mask: String) async throws {
    let tool = try Tool()
    let make = "umask \(mask); sealpush keys new --role device --out device.jwks"
    #expect(try await tool.shell(make).status == 0)
    #expect(try tool.mode(of: "device.jwks") == 0o600)
    #expect(try await tool.shell("umask \(mask); sealpush keys rotate --keys device.jwks").status == 0)
    #expect(try tool.mode(of: "device.jwks") == 0o600)
  }

  @Test func closedStreams() async throws {
    let pair = try await Pair()
    for closing in ["<&-", "2>&-", "<&- 2>&-"] {
      let run = try await pair.tool.shell("sealpush keys rotate --keys device.jwks \(closing)")
      #expect(run.status == 0, "\(closing): \(run.errors)")
      #expect(run.output == (try await pair.tool.succeed("keys export --keys device.jwks")).output)
    }
    let run = try await pair.tool.shell("sealpush keys rotate --keys device.jwks <&- >&- 2>&-")
    #expect(run.status == 1)
    #expect(try await pair.tool.keys("device.jwks").count == 5)
    #expect(try await pair.tool.shell("sealpush demo <&-").status == 0)
    #expect(try await pair.tool.shell("sealpush keys list <&- >&- 2>&-").status == 64)
  }

  @Test func argumentsThatAreNoText() async throws {
    let tool = try Tool()
    let run = try await tool.shell(#"sealpush keys list --keys "$(printf 'a\377b')""#)
    run.expectRefusal("a path that is no UTF-8", 66)
    let steering = try await tool.shell(#"sealpush "$(printf '\033[31m')""#)
    steering.expectRefusal("an escape character", 64, #"\u{1b}[31m"#)
  }
}
