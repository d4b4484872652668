import Testing

@Suite("What seal leaves visible, asks of APNs and cuts", .serialized)
struct SealOptionsTests {
  private static let usualEnd = #""sound":"default"},"ENCRYPTED_DATA":""#

  /// A payload whose body has so many bytes.
  private func long(_ count: Int) -> String {
    #"{"aps":{"alert":{"title":"Ada","body":"\#(String(repeating: "b", count: count))"}},"preview":"p"}"#
  }

  @Test func aMemberStaysVisibleAndIsWarnedOf() async throws {
    let pair = try await Pair()
    let run = try await pair.tool.succeed(
      "\(pair.seal) --now \(start) --in payload.json --visible badge,chat,thread-id")
    #expect(run.text.contains(#""sound":"default","badge":3},"chat":42,"ENCRYPTED_DATA":""#))
    #expect(
      run.errors == """
        sealpush: warning: aps.badge: visible-badge: anyone in transit can read it; put it in the sealed payload only
        sealpush: warning: chat: visible-custom-key: anyone in transit can read it; put it in the sealed payload only

        """)
    try pair.tool.write(run.text, to: "sealed.json")
    let opened = try await pair.tool.succeed("\(pair.open) --now \(start) --in sealed.json")
    #expect(opened.text == sample)
  }

  @Test func theSenderChoosesThePlaceholder() async throws {
    let pair = try await Pair()
    let run = try await pair.tool.succeed(
      "\(pair.seal) --in payload.json --title Post --body Nachricht --strict")
    #expect(run.text.hasPrefix(#"{"aps":{"alert":{"title":"Post","body":"Nachricht"},"mutable-content":1,"#))
    #expect(
      try await pair.tool.succeed("lint --strict --body Nachricht", input: .text(run.text)).text.isEmpty)
    let other = try await pair.tool.run("lint --strict", input: .text(run.text))
    #expect(other.status == 65)
    #expect(other.text.contains("aps.alert.body: visible-text"))
  }

  @Test func strictSealsNothingThatIsWarnedOf() async throws {
    let pair = try await Pair()
    let run = try await pair.tool.run(
      "\(pair.seal) --in payload.json --visible badge --strict --out sealed.json")
    #expect(run.status == 65)
    #expect(run.errors.contains("sealpush: warning: aps.badge: visible-badge"))
    #expect(run.errors.hasSuffix("sealpush: error: not sealed: --strict treats warnings as errors\n"))
    #expect((try? pair.tool.contents("sealed.json")) == nil)
    try await pair.tool.succeed("\(pair.seal) --in payload.json --strict --out sealed.json")
  }

  @Test func aSealedMemberThatAppleDoesNotKnowIsWarnedOf() async throws {
    let pair = try await Pair()
    let payload = #"{"aps":{"alert":"b","chat":1,"loc-args":["x"]}}"#
    let run = try await pair.tool.run("\(pair.seal)", input: .text(payload))
    #expect(run.status == 0)
    #expect(run.errors.contains("warning: aps.chat: unknown-aps-key"))
    #expect(run.text.contains(Self.usualEnd))
  }

  @Test func whatAPNsIsAskedFor() async throws {
    let pair = try await Pair()
    try await pair.tool.succeed(
      "\(pair.seal) --now \(start) --in payload.json --out sealed.json --headers headers.txt --priority 5 "
        + "--collapse-id order-42 --expiration \(start + 60)")
    let headers = String(decoding: try pair.tool.contents("headers.txt"), as: UTF8.self)
    #expect(headers.contains("apns-priority: 5\n"))
    #expect(headers.contains("apns-collapse-id: order-42\n"))
    #expect(headers.contains("apns-expiration: \(start + 60)\n"))
  }

  @Test(
    "what APNs would refuse is refused",
    arguments: [
      ("--push-type background --priority 10", "a push of type background cannot have priority 10"),
      ("--push-type pushtotalk --expiration 1800000001", "cannot be stored"),
      ("--expiration 1", "not within the message's lifetime"),
      ("--collapse-id \(String(repeating: "a", count: 65))", "64 visible ASCII characters"),
    ])
  func refused(options: String, message: String) async throws {
    let pair = try await Pair()
    try await pair.tool.refuse("\(pair.seal) --now \(start) --in payload.json \(options)", 65, message)
  }

  @Test(
    "an option that is none is a mistake in the usage",
    arguments: [
      "--visible sealed-push", "--visible aps", "--visible aps.alert", "--visible ENCRYPTED_DATA",
      "--visible badge --push-type background", "--visible chat --push-type liveactivity", "--priority 7",
      "--priority high", "--fit shrink", "--push-type mdm", "--expiration soon",
    ])
  func usage(options: String) async throws {
    let pair = try await Pair()
    try await pair.tool.refuse("\(pair.seal) --in payload.json \(options)", 64)
  }

  @Test func aBodyIsShortened() async throws {
    let pair = try await Pair()
    try pair.tool.write(long(5000), to: "long.json")
    try await pair.tool.refuse("\(pair.seal) --in long.json", 65, "too large")
    let run = try await pair.tool.succeed(
      "\(pair.seal) --now \(start) --in long.json --fit truncate --out sealed.json")
    #expect(run.errors.hasPrefix("sealpush: note: shortened to make it fit: the body, to "))
    #expect(run.errors.hasSuffix(" of its 5000 bytes\n"))
    #expect((4095...4096).contains(try pair.tool.contents("sealed.json").count))
    let opened = try await pair.tool.succeed("\(pair.open) --now \(start) --in sealed.json")
    #expect(opened.text.contains("bb…"))
    #expect(opened.text.hasSuffix(#""}},"preview":"p"}"#))
  }

  @Test func membersAreLeftOut() async throws {
    let pair = try await Pair()
    let payload = #"{"aps":{"alert":"b"},"first":"\#(String(repeating: "f", count: 4000))","second":2}"#
    let run = try await pair.tool.run("\(pair.seal) --drop first,second", input: .text(payload))
    #expect(run.status == 0)
    #expect(run.errors == "sealpush: note: dropped to make it fit: first\n")
  }

  @Test func theStateOfALiveActivity() async throws {
    let pair = try await Pair()
    let payload = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#
    try pair.tool.write(payload, to: "state.json")
    let run = try await pair.tool.succeed(
      "\(pair.seal) --now \(start) --in state.json --push-type liveactivity --out sealed.json --headers headers.txt"
    )
    #expect(run.errors.isEmpty)
    let sealed = String(decoding: try pair.tool.contents("sealed.json"), as: UTF8.self)
    let visible = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"ENCRYPTED_DATA":""#
    #expect(sealed.hasPrefix(visible))
    let headers = String(decoding: try pair.tool.contents("headers.txt"), as: UTF8.self)
    #expect(headers.contains("apns-topic: com.example.app.push-type.liveactivity\n"))
    let opened = try await pair.tool.succeed(
      "\(pair.open) --push-type liveactivity --now \(start) --in sealed.json")
    #expect(opened.text == payload)
    try await pair.tool.refuse("\(pair.open) --now \(start) --in sealed.json", 65, "no-envelope")
  }

  @Test func aTimeOfALiveActivityInMilliseconds() async throws {
    let pair = try await Pair()
    let payload = #"{"aps":{"timestamp":1795822261000,"event":"update","content-state":{"n":1}}}"#
    try pair.tool.write(payload, to: "state.json")
    let seal = "\(pair.seal) --now \(start) --push-type liveactivity"
    let message = "aps.timestamp: must-be-seconds (it is in milliseconds, and APNs takes seconds since 1970)"
    try await pair.tool.refuse("\(seal) --in state.json --out sealed.json --headers headers.txt", 65, message)
    let lines = try await pair.tool.run("\(seal) --lines", input: .text(#"{"payload":\#(payload)}"# + "\n"))
    #expect(lines.status == 65 && lines.output.isEmpty && lines.errors.contains("line 1: "))
    #expect(lines.errors.contains(message))
  }
}
