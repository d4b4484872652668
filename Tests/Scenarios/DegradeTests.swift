import Foundation
import Testing

/// A payload that does not open, for each reason that an operator can meet.
@Suite("Pushes that do not open", .serialized)
struct DegradeTests {
  /// Expects the same verdict of `open` and `simulate`.
  private func expect(
    _ reason: String, of payload: String, _ pair: Pair, _ options: String = "--now \(start)",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let run = try await pair.tool.refuse(
      "\(pair.open) \(options)", 65, input: .text(payload), sourceLocation: sourceLocation)
    #expect(run.error?.hasPrefix("\(reason): ") == true, "\(run.errors)", sourceLocation: sourceLocation)
    let shown = try await pair.tool.succeed(
      "\(pair.simulate) --json \(options)", input: .text(payload), sourceLocation: sourceLocation)
    let simulated = try shown.json(Simulated.self)
    #expect(simulated.ran, sourceLocation: sourceLocation)
    #expect(simulated.outcome == "degraded", sourceLocation: sourceLocation)
    #expect(simulated.reason == reason, sourceLocation: sourceLocation)
    #expect(!simulated.shown.body.contains("Lunch"), sourceLocation: sourceLocation)
    #expect(!(simulated.shown.title + simulated.shown.body).isEmpty, sourceLocation: sourceLocation)
  }

  @Test func thereIsNoEnvelope() async throws {
    let pair = try await Pair()
    let plain = #"{"aps":{"alert":{"title":"Bob","body":"hi"},"mutable-content":1}}"#
    try await expect("no-envelope", of: plain, pair)
    let sealed = try await pair.forged { _ in }
    try await expect("no-envelope", of: sealed, pair, "--now \(start) --envelope-key other")
  }

  @Test func theEnvelopeIsBroken() async throws {
    let pair = try await Pair()
    let sealed = try await pair.forged { _ in }
    let text = sealed.envelopeText
    for broken in ["", "A", text + "=", text + "\\n", text + "!", "\u{e9}", String(text.prefix(40)), "AQE"] {
      let payload = sealed.replacingOccurrences(of: text, with: broken)
      try await expect("malformed-envelope", of: payload, pair)
    }
    for value in ["1", "null", "{}", "[]", "true"] {
      let payload = sealed.replacingOccurrences(of: "\"\(text)\"", with: value)
      try await expect("malformed-envelope", of: payload, pair)
    }
    let long = sealed.replacingOccurrences(of: text, with: String(repeating: "A", count: 20_000))
    try await expect("too-large", of: long, pair)
  }

  @Test(arguments: [0, 2, 255] as [UInt8]) func theVersionIsUnknown(version: UInt8) async throws {
    let pair = try await Pair()
    try await expect("unsupported-version", of: pair.forged { $0[0] = version }, pair)
  }

  @Test(arguments: [0, 4, 255] as [UInt8]) func theSuiteIsUnknown(suite: UInt8) async throws {
    let pair = try await Pair()
    try await expect("unsupported-suite", of: pair.forged { $0[1] = suite }, pair)
  }

  @Test(arguments: suites) func somethingWasChanged(suite: String) async throws {
    let pair = try await Pair(suite: suite)
    try await expect("unknown-key", of: pair.forged { $0[2] ^= 1 }, pair)
    try await expect("not-authentic", of: pair.forged { $0[$0.count - 1] ^= 1 }, pair)
    try await expect("not-authentic", of: pair.forged { $0[$0.count - 40] ^= 1 }, pair)
    try await expect("not-authentic", of: pair.forged { $0.append(0) }, pair)
  }

  @Test func itIsForAnotherApp() async throws {
    let pair = try await Pair()
    let other = "seal --to device.pub.jwks --from sender.jwks --topic com.example.other --now \(start)"
    let sealed = try await pair.tool.succeed("\(other) --in payload.json").text
    try await expect("not-authentic", of: sealed, pair)
  }

  @Test func itIsForAnotherDevice() async throws {
    let (pair, other) = (try await Pair(), try await Pair())
    try await expect("unknown-key", of: other.forged { _ in }, pair)
  }

  @Test func itIsFromAStranger() async throws {
    let pair = try await Pair()
    try await pair.tool.succeed("keys new --role sender --out stranger.jwks --now \(start)")
    let line = "seal --to device.pub.jwks --from stranger.jwks \(Pair.topic) --now \(start) --in payload.json"
    try await expect("unknown-sender", of: pair.tool.succeed(line).text, pair)
  }

  @Test func nobodySignedIt() async throws {
    let pair = try await Pair()
    let line = "seal --to device.pub.jwks --anonymous \(Pair.topic) --now \(start) --in payload.json"
    try await expect("anonymous-not-accepted", of: pair.tool.succeed(line).text, pair)
  }

  @Test func somebodySignedItAndNobodyIsTrusted() async throws {
    let pair = try await Pair()
    let sealed = try await pair.sealed()
    let line = "open --keys device.jwks --anonymous \(Pair.topic) --now \(start)"
    try await pair.tool.refuse(line, 65, "unknown-sender: ", input: .bytes(sealed))
  }

  @Test func itIsNotItsTime() async throws {
    // A clock may be wrong by 5 minutes, and not by a second more.
    let pair = try await Pair()
    let sealed = try await pair.tool.succeed("\(pair.seal) --now \(start) --lifetime 1h --in payload.json")
      .text
    for now in [start - 300, start, start + 3900] {
      let run = try await pair.tool.succeed("\(pair.open) --now \(now)", input: .text(sealed))
      #expect(run.text == sample)
    }
    try await expect("expired", of: sealed, pair, "--now \(start + 3901)")
    try await expect("not-yet-valid", of: sealed, pair, "--now \(start - 301)")
    try await expect("not-yet-valid", of: sealed, pair, "--now 0")
    try await expect("expired", of: sealed, pair, "--now 9007199254740991")
  }

  @Test func timeRanOut() async throws {
    let pair = try await Pair()
    let sealed = try await pair.sealed()
    let line = "\(pair.simulate) --now \(start) --deadline 0 --json"
    let shown = try await pair.tool.succeed(line, input: .bytes(sealed)).json(Simulated.self)
    #expect(shown.reason == "deadline")
    #expect(shown.shown.subtitle == "(Encrypted)" && shown.shown.body.isEmpty)
  }

  @Test func everyHintCanBeFollowed() async throws {
    let pair = try await Pair()
    let sealed = try await pair.forged { _ in }
    let run = try await pair.tool.refuse("\(pair.open) --now \(start + 31 * day)", 65, input: .text(sealed))
    #expect(run.errors.hasPrefix("sealpush: error: expired: its lifetime has passed\nsealpush: hint: "))
  }
}
