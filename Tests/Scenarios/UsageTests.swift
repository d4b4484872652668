import Foundation
import Testing

@Suite("Commands that are wrong", .serialized)
struct UsageTests {
  @Test func whatIsNoCommand() async throws {
    let tool = try Tool()
    for line in ["fly", "keys fly", "--verbose", "-", "--quiet"] {
      let run = try await tool.refuse(line, 64, "there is no command '")
      #expect(run.hint == "sealpush --help lists the commands")
    }
    try await tool.run(words: [""]).expectRefusal("an empty word", 64)
  }

  /// Lines with one fault each, and what the error says of it, where the files are there.
  private static let faults: [(line: String, message: String)] = [
    // Options that are not there, twice, or without what they need.
    ("keys list --keys device.jwks --fast", "there is no option '--fast' here"),
    (
      "keys list --keys device.jwks device.jwks",
      "'device.jwks' is not an option, and keys list takes no other words"
    ),
    ("keys list --keys device.jwks -j", "there is no option '-j' here"),
    ("keys list --keys device.jwks --", "there is no option '--' here"),
    ("keys list --keys device.jwks --keys device.jwks", "--keys is given twice"),
    ("keys list --keys device.jwks --keys=device.jwks", "--keys is given twice"),
    ("keys list --keys device.jwks --json --json", "--json is given twice"),
    ("keys list --keys device.jwks --json=yes", "--json takes no value"),
    ("keys list --keys", "--keys needs a value: FILE"),
    ("keys list --keys --json", "--keys needs a value: FILE"),
    ("keys list --keys -x", "--keys needs a value: FILE"),
    ("keys list --keys=", "--keys has an empty value"),
    ("keys list", "--keys FILE|- is missing"),
    ("keys new --out new.jwks", "--role ROLE is missing"),
    ("keys new --role device", "--out FILE is missing"),
    ("keys export", "--keys FILE|- is missing"), ("keys rotate", "--keys FILE is missing"),
    ("keys prune", "--keys FILE is missing"),
    ("seal --anonymous --topic com.example.app", "--to FILE is missing"),
    ("seal --anonymous --to device.pub.jwks", "--topic ID is missing"),
    ("open --anonymous --keys device.jwks", "--topic ID is missing"),
    ("simulate --anonymous --topic com.example.app", "--keys FILE|- is missing"),
    ("demo --loud", "there is no option '--loud' here"),
    // Who sends, and whom to trust.
    ("SEAL --topic a.b", "give either --from FILE or --anonymous"),
    ("SEAL --topic a.b --from sender.jwks --anonymous", "give either --from FILE or --anonymous"),
    ("OPEN --topic a.b", "give either --senders FILE or --anonymous"),
    ("OPEN --topic a.b --senders sender.pub.jwks --anonymous", "give either --senders FILE or --anonymous"),
    ("SIMULATE --topic a.b", "give either --senders FILE or --anonymous"),
    // Values that are wrong.
    ("keys new --role phone --out new.jwks", "--role must be device, sender, shared, identity or root"),
    (
      "keys new --role device --out new.jwks --suite x448", "--suite must be x25519-chachapoly or p256-aesgcm"
    ),
    (
      "keys new --role sender --out new.jwks --suite p256-aesgcm",
      "only a device's keys have a choice of suite"
    ),
    ("keys new --role shared --out new.jwks --suite shared-chachapoly", "only a device's keys"),
    ("keys new --role device --out new.jwks --suite shared-chachapoly", "made with --role shared"),
    (
      "keys new --role device --out new.jwks --now soon",
      "--now must be a number of seconds since 1970, not 'soon'"
    ),
    ("keys new --role device --out new.jwks --now=-1", "--now must be a number"),
    ("keys new --role device --out new.jwks --now 9007199254740992", "--now must be a number"),
    ("keys new --role device --out new.jwks --now 1.5", "--now must be a number"),
    ("keys rotate --keys device.jwks --grace 29d", "--grace must be at least 30d"),
    ("keys rotate --keys device.jwks --grace 2591999", "--grace must be at least 30d"),
    ("keys rotate --keys device.jwks --grace 3651d", "--grace must be at most 3650d"),
    ("keys rotate --keys device.jwks --grace 30x", "--grace must be a number and s, m, h or d"),
    ("keys rotate --keys device.jwks --grace d", "--grace must be a number and s, m, h or d"),
    ("keys rotate --keys device.jwks --grace +30d", "--grace must be a number and s, m, h or d"),
    ("keys rotate --keys device.jwks --grace 106751991167301d", "--grace is too long"),
    ("SEAL --anonymous --topic com/example", "--topic must be a bundle ID"),
    ("SEAL --anonymous --topic com.example.app.voip", "without a suffix such as .voip"),
    ("SEAL --anonymous --topic a.b --message-id 42", "--message-id must be a UUID"),
    (
      "SEAL --anonymous --topic a.b --message-id 67e55044-10b1-426f-9247-bb680e5fe0c",
      "--message-id must be a UUID"
    ),
    ("SEAL --anonymous --topic a.b --suite none", "--suite must be x25519-chachapoly or p256-aesgcm"),
    ("SEAL --anonymous --topic a.b --lifetime 31d", "--lifetime must be at most 30d"),
    ("SEAL --anonymous --topic a.b --lifetime 2592001", "--lifetime must be at most 30d"),
    ("SEAL --anonymous --topic a.b --lifetime=-1", "--lifetime must be a number and s, m, h or d"),
    ("SEAL --anonymous --topic a.b --lifetime 1w", "--lifetime must be a number and s, m, h or d"),
    ("SEAL --anonymous --topic a.b --padding lots", "--padding must be buckets, maximum or none"),
    (
      "SEAL --anonymous --topic a.b --push-type fax",
      "--push-type must be alert, background, voip, complication, pushtotalk, liveactivity, fcm or fcm-data"
    ),
    ("SEAL --anonymous --topic a.b --envelope-key aps", "--envelope-key cannot be 'aps'"),
    ("SIMULATE --anonymous --topic a.b --deadline never", "--deadline must be a number and s, m, h or d"),
    ("SIMULATE --anonymous --topic a.b --deadline 9223372036854775807", "--deadline is too long"),
    ("SIMULATE --anonymous --topic a.b --language de", "--language needs --strings with an .xcstrings file"),
    (
      "SIMULATE --anonymous --topic a.b --strings a.strings --language de",
      "--language needs --strings with an"
    ),
    ("SIMULATE --anonymous --topic a.b --strings -", "--strings must be a file"),
    ("inspect --capacity --topic com.example.app.voip", "without a suffix"),
    // A file must not be written over one that is read.
    ("keys export --keys device.jwks --out device.jwks --force", "--out and --keys are the same file"),
    ("keys export --keys device.jwks --out ./device.jwks --force", "--out and --keys are the same file"),
    ("SEAL --from sender.jwks --topic a.b --out sender.jwks --force", "--out and --from are the same file"),
    (
      "SEAL --from sender.jwks --topic a.b --headers sender.jwks --force", "--headers and --from are the same"
    ),
    ("OPEN --anonymous --topic a.b --out device.jwks --force", "--out and --keys are the same file"),
    (
      "SEAL --anonymous --topic a.b --in payload.json --out payload.json --force",
      "--out and --in are the same"
    ),
    ("SEAL --anonymous --topic a.b --out same --headers same", "--headers and --out are the same"),
  ]

  @Test func everyFaultIsNamed() async throws {
    let pair = try await Pair()
    let names = try pair.tool.names
    for (line, message) in Self.faults {
      let line = line.replacingOccurrences(of: "SEAL", with: "seal --to device.pub.jwks")
        .replacingOccurrences(of: "OPEN", with: "open --keys device.jwks")
        .replacingOccurrences(of: "SIMULATE", with: "simulate --keys device.jwks")
      try await pair.tool.refuse(line, 64, message, input: .text(sample))
    }
    #expect(try pair.tool.names == names)
    #expect(try await pair.tool.keys("device.jwks").count == 1)
  }

  @Test(arguments: [
    ["keys", "list", "--keys", ""], ["inspect", "--in", ""],
    ["keys", "new", "--role", "device", "--out", ""],
    ["inspect", "--capacity", "--topic", "a b"],
    ["inspect", "--capacity", "--topic", String(repeating: "a", count: 256)],
    ["inspect", "--capacity", "--topic", "com.ex\u{e4}mple"],
  ])
  func valuesThatNoSpaceSeparates(words: [String]) async throws {
    try await Tool().run(words: words).expectRefusal("\(words)", 64)
  }

  @Test func theLimitsThemselvesAreRight() async throws {
    let pair = try await Pair()
    let longest = String(repeating: "a", count: 255)
    for options in [
      "--lifetime 30d", "--lifetime 2592000s", "--lifetime 0", "--padding none", "--push-type voip",
    ] {
      try await pair.tool.succeed("\(pair.seal) --in payload.json \(options)")
    }
    try await pair.tool.succeed("seal --anonymous --to device.pub.jwks --topic \(longest) --in payload.json")
    try await pair.tool.succeed("keys rotate --keys device.jwks --grace 2592000")
    try await pair.tool.succeed("keys rotate --keys device.jwks --grace 3650d")
    try await pair.tool.succeed("keys rotate --keys device.jwks --grace 30d --now 9007199254740991")
  }
}
