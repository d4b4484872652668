import Testing

@Suite("Other systems' envelopes: what is wrong with the command", .serialized)
struct FormatUsageTests {
  /// Lines with one fault each, and what the error says of it, where the files are there.
  private static let faults: [(line: String, message: String)] = [
    ("open --format rot13 --secret secret", "--format must be openssl-salted, bark, webpush-aes128gcm, "),
    ("seal --format rot13 --secret secret", "--format must be openssl-salted, webpush-aes128gcm, sodium"),
    ("open --format zulip", "--secret FILE is missing"), ("seal --format zulip", "--secret FILE is missing"),
    ("open --format zulip --secret -", "--secret must be a file"),
    // Nothing that nobody authenticates without the word.
    ("open --format openssl-salted --secret secret", "openssl-salted is not authenticated"),
    ("seal --format openssl-salted --secret secret", "openssl-salted is not authenticated"),
    ("open --format bark --secret secret", "bark in mode cbc is not authenticated"),
    ("open --format bark --secret secret --mode cbc", "bark in mode cbc is not authenticated"),
    ("open --format bark --secret secret --mode ecb", "bark in mode ecb is not authenticated"),
    (
      "open --format bark --secret secret --mode gcm --unauthenticated", "bark in mode gcm is authenticated"
    ),
    ("open --format zulip --secret secret --unauthenticated", "zulip is authenticated"),
    (
      "seal --format webpush-aes128gcm --secret secret --unauthenticated",
      "webpush-aes128gcm is authenticated"
    ),
    // Options of the package's own envelope.
    ("open --format zulip --secret secret --keys device.jwks", "--keys and --format exclude each other"),
    ("open --format zulip --secret secret --topic a.b", "--topic and --format exclude"),
    ("open --format zulip --secret secret --senders sender.pub.jwks", "--senders and --format exclude"),
    ("open --format zulip --secret secret --root sender.pub.jwks", "--root and --format exclude"),
    ("open --format zulip --secret secret --anonymous", "--anonymous and --format exclude"),
    ("open --format zulip --secret secret --data", "--data and --format exclude"),
    ("open --format zulip --secret secret --envelope-key a", "--envelope-key and --format exclude"),
    ("open --format zulip --secret secret --now 1", "--now and --format exclude"),
    ("open --format zulip --secret secret --passphrase-fd 0", "--passphrase-fd and --format exclude"),
    ("seal --format zulip --secret secret --to device.pub.jwks", "--to and --format exclude"),
    ("seal --format zulip --secret secret --from sender.jwks", "--from and --format exclude"),
    ("seal --format zulip --secret secret --anonymous", "--anonymous and --format exclude"),
    ("seal --format zulip --secret secret --lines", "--lines and --format exclude"),
    ("seal --format zulip --secret secret --headers h", "--headers and --format exclude"),
    ("seal --format zulip --secret secret --push-type voip", "--push-type and --format exclude"),
    ("seal --format zulip --secret secret --padding none", "--padding and --format exclude"),
    ("seal --format zulip --secret secret --attach a", "--attach and --format exclude"),
    // Options of other formats, or without one.
    ("open --format zulip --secret secret --member a", "--member does not apply to zulip"),
    ("open --format zulip --secret secret --mode gcm", "--mode does not apply to zulip"),
    ("open --format home-assistant --secret secret --iterations 1", "--iterations does not apply to home-"),
    ("open --format bark --secret secret --mode gcm --carriage z85", "--carriage does not apply to bark"),
    (
      "open --format bark --secret secret --mode gcm --key-rule truncated",
      "--key-rule does not apply to bark"
    ),
    ("seal --format zulip --secret secret --mode gcm", "there is no option '--mode' here"),
    ("OPEN --secret secret", "--secret needs --format"),
    ("OPEN --unauthenticated", "--unauthenticated needs --format"),
    ("OPEN --mode gcm", "--mode needs --format"), ("SEAL --secret secret", "--secret needs --format"),
    ("SEAL --derivation pbkdf2", "--derivation needs --format"),
    ("open --secret secret", "--secret needs --format"),
    // Values that are wrong.
    ("SALTED --derivation scrypt", "--derivation must be pbkdf2 or bytes-to-key"),
    ("SALTED --digest sha3", "--digest must be sha256, sha512, sha1 or md5"),
    ("SALTED --iterations 0", "--iterations must be 1 to 1000000"),
    ("SALTED --iterations 1000001", "--iterations must be 1 to 1000000"),
    ("SALTED --iterations many", "--iterations must be 1 to 1000000"),
    ("SALTED --iterations=-1", "--iterations must be 1 to 1000000"),
    ("SALTED --derivation bytes-to-key --iterations 1", "bytes-to-key takes no --iterations"),
    ("SALTED --member aps", "--member cannot be 'aps'"),
    ("SALTED --member sealed-push", "--member cannot be 'sealed-push'"),
    ("open --format sodium-sealed-box --secret secret --member aps", "--member cannot be 'aps'"),
    ("seal --format sodium-sealed-box --secret secret --member aps", "--member cannot be 'aps'"),
    ("open --format bark --secret secret --mode ofb", "--mode must be cbc, gcm or ecb"),
    ("BARK --iv 123456789012345", "--iv in mode cbc must have 16 bytes"),
    (
      "open --format bark --secret secret --mode gcm --iv 1234567890123",
      "--iv in mode gcm must have 12 bytes"
    ),
    ("BARK --mode ecb --iv 1111111111111111", "bark in mode ecb takes no --iv"),
    ("open --format webpush-aesgcm --secret secret --carriage hex", "--carriage must be z85 or base64url"),
    ("seal --format webpush-aes128gcm --secret secret --carriage hex", "--carriage must be z85 or base64url"),
    (
      "open --format home-assistant --secret secret --key-rule new",
      "--key-rule must be hexadecimal or truncated"
    ),
  ]

  @Test func theHintIsThePageThatHasTheOption() async throws {
    for command in ["seal", "open"] {
      let run = try await Tool().refuse("\(command) --secret secret", 64, "--secret needs --format")
      #expect(run.hint == "sealpush \(command) --format --help")
    }
  }

  @Test func everyFaultIsNamed() async throws {
    let pair = try await Pair()
    try pair.tool.write("12345678901234567890123456789012", to: "secret")
    let names = try pair.tool.names
    for (line, message) in Self.faults {
      let line = line.replacing(
        "SALTED", with: "open --format openssl-salted --secret secret --unauthenticated"
      )
      .replacing("BARK", with: "open --format bark --secret secret --unauthenticated")
      .replacing("OPEN", with: pair.open).replacing("SEAL", with: pair.seal)
      try await pair.tool.refuse(line, 64, message, input: .text(sample))
    }
    #expect(try pair.tool.names == names)
  }

  @Test func whatTheWordMeansIsSaid() async throws {
    let tool = try ForeignSample.salted[0].tool()
    for command in ["open", "seal"] {
      let run = try await tool.refuse(
        "\(command) --format openssl-salted --secret secret", 64,
        "messages can be altered in transit")
      #expect(run.hint == "add --unauthenticated to accept that")
    }
  }

  @Test func theLimitsThemselvesAreRight() async throws {
    let tool = try ForeignSample.salted[0].tool()
    for count in [1, 1_000_000] {
      let options = "--format openssl-salted --secret secret --unauthenticated --iterations \(count)"
      let sealed = try await tool.run("seal \(options)", input: .text("text"))
      #expect(try await tool.run("open \(options)", input: .bytes(sealed.output)).text == "text")
    }
  }
}
