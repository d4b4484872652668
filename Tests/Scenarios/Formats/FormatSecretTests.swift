import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Other systems' secrets", .serialized)
struct FormatSecretTests {
  @Test(arguments: [0o644, 0o640, 0o606] as [mode_t]) func whatOthersMayUse(mode: mode_t) async throws {
    for sample in ForeignSample.all {
      let tool = try sample.tool()
      try tool.setMode(mode, of: "secret")
      let run = try await tool.refuse(
        "\(sample.open) --in payload.json", 77, "(mode 0\(String(mode, radix: 8)))")
      #expect(run.hint == "chmod 600 secret")
    }
    let tool = try ForeignSample.boxes[1].tool()
    try tool.setMode(mode, of: "secret")
    try await tool.refuse("seal --format zulip --secret secret --in payload.json", 77, "secret can be read")
  }

  @Test(.hangGuard) func whatIsNoRegularFile() async throws {
    let sample = ForeignSample.salted[0]
    let tool = try sample.tool()
    let open = "open --format openssl-salted --unauthenticated --in payload.json --secret"
    try FileManager.default.createSymbolicLink(atPath: tool.path("link"), withDestinationPath: "secret")
    try #require(unsafe mkfifo(tool.path("pipe"), 0o600) == 0)
    #expect(try await tool.succeed("\(open) link").output == tool.succeed("\(open) secret").output)
    try await tool.refuse("\(open) pipe", 66, "pipe")
    try await tool.refuse("\(open) /dev/zero", 66, "device")
    try await tool.refuse("\(open) nowhere", 66, "there is no nowhere")
    try tool.setMode(0o777, of: ".")
    try await tool.refuse("\(open) secret", 77, "others can replace secret: ")
    try tool.setMode(0o700, of: ".")
  }

  /// Files that are no secret of a format, and what the error says.
  private static let faults: [(options: String, text: String, message: String)] = [
    ("openssl-salted --unauthenticated", "", "secret is empty"),
    ("openssl-salted --unauthenticated", "\n", "is not a password of 1 to 1024 bytes"),
    (
      "openssl-salted --unauthenticated", String(repeating: "a", count: 1025),
      "is not a password of 1 to 1024 bytes"
    ),
    ("openssl-salted --unauthenticated", "two\nlines\n", "has several lines"),
    ("openssl-salted --unauthenticated", "one\n\n", "has several lines"),
    ("bark --unauthenticated", "too short", "is not a Bark key of 16, 24 or 32 characters"),
    ("bark --mode gcm", "123456789012345\u{e9}", "is not a Bark key"),
    ("zulip", "MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f", "is not a JSON object with push_key_id"),
    (
      "zulip", #"{"push_key_id":"7","push_key":"MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"}"#,
      "is not a JSON"
    ),
    (
      "zulip", #"{"push_key_id":-1,"push_key":"MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"}"#,
      "is not a JSON"
    ),
    (
      "zulip", #"{"push_key_id":4294967296,"push_key":"MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"}"#,
      "JSON"
    ),
    (
      "zulip", #"{"push_key_id":7,"push_key":"MgABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"}"#,
      "is not a JSON"
    ),
    (
      "zulip", #"{"push_key_id":7,"push_key":"MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"} x"#,
      "is not a JSON"
    ),
    ("webpush-aes128gcm", "[]", "is not a JSON object with private_key and auth"),
    (
      "webpush-aes128gcm", #"{"private_key":"q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"}"#,
      "private_key and auth"
    ),
    (
      "webpush-aesgcm", #"{"private_key":"q1dX","auth":"BTBZMqHH6r4Tts7J_aSIgg"}"#,
      "is not a JSON object with private_key and auth"
    ),
    (
      "webpush-aesgcm",
      #"{"private_key":"q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94","auth":"BTBZMqHH6r4Tts7J_aSIgg="}"#,
      "is not a JSON object with private_key and auth"
    ),
    (
      "webpush-aesgcm",
      #"{"private_key":"q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#,
      "is not a JSON object with private_key and auth"
    ),
    ("sodium-sealed-box", "AQID", "is not a private key in base64, of 32 bytes"),
    ("home-assistant", "my secret", "is not 64 hexadecimal digits"),
  ]

  private static let publicKey =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"

  /// A short key, a name at two places, members too deep, an array in place of an object.
  private static let noSubscriptions = [
    #"{"p256dh":"BCVx","auth":"BTBZMqHH6r4Tts7J_aSIgg"}"#,
    #"{"p256dh":"\#(publicKey)","auth":"BTBZMqHH6r4Tts7J_aSIgg","keys":{"auth":"BTBZMqHH6r4Tts7J_aSIgg"}}"#,
    #"{"keys":{"keys":{"p256dh":"\#(publicKey)","auth":"BTBZMqHH6r4Tts7J_aSIgg"}}}"#,
    #"{"keys":[{"p256dh":"\#(publicKey)","auth":"BTBZMqHH6r4Tts7J_aSIgg"}]}"#,
  ]

  @Test func whatIsNoSecret() async throws {
    for (options, text, message) in Self.faults {
      let tool = try Tool()
      try tool.write(text, to: "secret")
      let run = try await tool.refuse("open --secret secret --format \(options)", 65, message)
      if !text.isEmpty { #expect(run.error?.hasPrefix("secret ") == true) }
    }
    let tool = try Tool()
    try tool.write("my secret", to: "secret")
    let run = try await tool.refuse("open --secret secret --format home-assistant", 65)
    #expect(run.hint == "--key-rule truncated is for servers before 2022.3")
    // Of small order, which anyone could open.
    try tool.write(String(repeating: "A", count: 43) + "=", to: "secret")
    try await tool.refuse(
      "seal --secret secret --format sodium-sealed-box", 65, "is not a public key in base64")
    for subscription in Self.noSubscriptions {
      try tool.write(subscription, to: "secret")
      try await tool.refuse(
        "seal --secret secret --format webpush-aes128gcm", 65, "p256dh and auth in base64url")
    }
  }

  @Test func whatElseASubscriptionHas() async throws {
    let tool = try Tool()
    let keys = #""p256dh":"\#(Self.publicKey)","auth":"BTBZMqHH6r4Tts7J_aSIgg""#
    for subscription in [
      #"{"endpoint":"https://a.example","keys":{"endpoint":"https://b.example",\#(keys)}}"#,
      #"{"v":1,"label":"a",\#(keys),"keys":{"v":2,"label":"b"}}"#,
    ] {
      try tool.write(subscription, to: "secret")
      try await tool.succeed(
        "seal --secret secret --format webpush-aes128gcm", input: .text(#"{"aps":{"alert":"Lunch"}}"#))
    }
  }

  /// Parts of each secret that are long enough to be found.
  private static let canaries = [
    "correct horse", "1234567890123456789012345678901", "q1dXpw3UpT5VOmu", "BTBZMqHH6r4Tts7J",
    "AQIDBAUGBwgJCgsMDQ4P", "MQABAgMEBQYHCAkKCwwNDg8", "00112233445566778899aabbccddeeff",
  ]

  @Test(arguments: ForeignSample.all) func noneIsEverPrinted(sample: ForeignSample) async throws {
    let tool = try sample.tool()
    #expect(Self.canaries.contains { sample.secret.contains($0) }, "the search must find what it looks for")
    // As they are, and as files at fault.
    for secret in [
      sample.secret, "x" + sample.secret, sample.secret + "\nmore", String(sample.secret.dropLast(3)),
    ] {
      try tool.write(secret, to: "secret")
      for line in [
        "\(sample.open) --in payload.json", "\(sample.open) --in secret", "inspect --in secret",
        "open --format bark --mode gcm --secret secret --in payload.json",
        "open --format zulip --secret secret --in payload.json",
        "seal --format zulip --secret secret --in payload.json",
        "seal --format openssl-salted --unauthenticated --secret secret --in payload.json",
        "seal --format webpush-aes128gcm --secret secret --in payload.json",
        "seal --format sodium-sealed-box --secret secret --in payload.json",
      ] {
        let run = try await tool.run(line)
        #expect(run.status != nil, "\(line): \(run.ending)")
        for canary in Self.canaries {
          #expect(!run.text.contains(canary) && !run.errors.contains(canary), "\(line)")
        }
      }
    }
  }
}
