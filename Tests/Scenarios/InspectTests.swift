import Testing

@Suite("Taking a sealed payload apart", .serialized)
struct InspectTests {
  /// The figures of the legend by their marks, and the bar.
  private struct Picture {
    var figures: [Character: Int] = [:]
    var bar = ""

    init(_ run: Run) throws {
      for line in run.lines.dropFirst(5).dropLast() {
        let mark = try #require(line.first)
        figures[mark] = Int(try #require(line.split(separator: " ").last))
      }
      bar = try #require(run.lines.last)
    }
  }

  @Test func theBarIsTheBudget() async throws {
    let pair = try await Pair()
    try await pair.tool.succeed("\(pair.seal) --now \(start) --in payload.json --out sealed.json")
    let size = try pair.tool.contents("sealed.json").count
    let picture = try Picture(try await pair.tool.succeed("inspect --in sealed.json"))
    #expect(picture.figures["h"] == 10 && picture.figures["k"] == 32 && picture.figures["t"] == 16)
    #expect(picture.figures["c"] == 256 && picture.figures["p"] == nil)
    #expect(picture.figures["."] == 4096 - size)
    #expect(picture.figures.values.reduce(0, +) == 4096)
    #expect(picture.bar.count == 74 && picture.bar.hasPrefix("[s") && picture.bar.hasSuffix(".]"))
    // In the order of the legend, and each part as long as its share of 72, or 1.
    let marks = picture.bar.dropFirst().dropLast()
    #expect(String(marks).reduce(into: "") { if $0.last != $1 { $0.append($1) } } == "shkctb.")
    #expect(marks.count { $0 == "c" } == 256 * 72 / 4096)
    #expect(marks.count { $0 == "h" } == 1)
  }

  @Test(arguments: zip(suites + ["shared-chachapoly"], ["no: ", "no: ", "yes, if the key itself"]))
  func whetherAQuantumComputerCouldOpenIt(suite: String, answer: String) async throws {
    let pair = try await Pair(suite: suite.hasPrefix("shared") ? suites[0] : suite)
    let to = suite.hasPrefix("shared") ? "shared.jwks" : "device.pub.jwks"
    try await pair.tool.succeed("keys new --role shared --out shared.jwks")
    try await pair.tool.succeed(
      "seal --to \(to) --from sender.jwks \(Pair.topic) --in payload.json --out sealed.json")
    let lines = try await pair.tool.succeed("inspect --in sealed.json").lines
    #expect(lines[1] == "suite               \(suite)" && lines[4].hasPrefix("quantum-resistant   \(answer)"))
    let json = try await pair.tool.succeed("inspect --in sealed.json --json").text
    #expect(json.contains(#""suite":"\#(suite)","quantumResistant":\#(!answer.hasPrefix("no"))"#))
  }

  @Test func theKeyTellsThePadding() async throws {
    let pair = try await Pair()
    try await pair.tool.succeed("\(pair.seal) --in payload.json --out sealed.json")
    let line = "inspect --in sealed.json --keys device.jwks --topic com.example.app"
    let picture = try Picture(try await pair.tool.succeed(line))
    // Type and claims 29, key id 8, signature 64, and the payload are content; the marker is padding.
    #expect(picture.figures["c"] == 101 + sample.utf8.count)
    #expect(picture.figures["p"] == 256 - 101 - sample.utf8.count)
    #expect(picture.bar.contains("cp"))
    #expect(try await pair.tool.succeed("\(line) --json").text.contains(#""padding":"#))
  }

  @Test func whatItNeedsForThat() async throws {
    let pair = try await Pair()
    try await pair.tool.succeed("\(pair.seal) --in payload.json --out sealed.json")
    try await pair.tool.refuse("inspect --in sealed.json --keys device.jwks", 64, "--keys needs --topic")
    try await pair.tool.refuse(
      "inspect --in sealed.json --keys device.jwks --topic com.example.other", 65, "does not open")
    try await pair.tool.refuse(
      "inspect --in sealed.json --keys sender.jwks --topic com.example.app", 65, "does not have the key")
  }

  @Test func theStateOfALiveActivity() async throws {
    let pair = try await Pair()
    let state = #"{"aps":{"timestamp":1,"event":"update","content-state":{"score":3}}}"#
    let sealed = try await pair.tool.run("\(pair.seal) --push-type liveactivity", input: .text(state))
    let run = try await pair.tool.run("inspect", input: .text(sealed.text))
    #expect(run.status == 0)
    #expect(try Picture(run).figures["s"] == 78)
  }

  @Test func moreThanTheLimit() async throws {
    let pair = try await Pair()
    let sealed = try await pair.tool.succeed(
      "\(pair.seal) --in payload.json --padding maximum --push-type voip")
    let run = try await pair.tool.run("inspect", input: .text(sealed.text))
    #expect(run.status == 0)
    let picture = try Picture(run)
    #expect(picture.figures["."]! < 0)
    #expect(picture.bar.count == 74 && !picture.bar.contains("."))
  }
}
