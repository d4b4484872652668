import Testing

/// What FCM carries to an app on Android.
@Suite("Messages for Android")
struct AndroidTests {
  private let token = "fX9-aB_3:APA91b"
  private let android = "--service fcm --topic com.example.my_app"

  @Test("a message opens, whole or as its data alone", arguments: ["fcm", "fcm-data"])
  func opens(type: String) async throws {
    let pair = try await Pair()
    let seal = "\(pair.seal) --push-type \(type) --in payload.json"
    let open = "\(pair.open) --push-type \(type)"
    let whole = try await pair.tool.succeed(seal).text
    let priority = type == "fcm" ? "HIGH" : "NORMAL"
    let start =
      #"{"message":{"android":{"priority":"\#(priority)","ttl":"2419200s"},"data":{"ENCRYPTED_DATA":"#
    #expect(whole.hasPrefix(start))
    let bare = try await pair.tool.succeed("\(seal) --bare").text
    #expect(bare.hasPrefix(#"{"ENCRYPTED_DATA":""#))
    for message in [whole, bare] {
      #expect(try await pair.tool.succeed(open, input: .text(message)).text == sample)
      #expect(
        try await pair.tool.succeed("lint --strict --push-type \(type)", input: .text(message)).text.isEmpty)
      let inspected = try await pair.tool.succeed("inspect --push-type \(type)", input: .text(message)).text
      #expect(inspected.contains("s skeleton          14\n"))
    }
    let other = type == "fcm" ? "fcm-data" : "fcm"
    let run = try await pair.tool.run("\(pair.open) --push-type \(other)", input: .text(whole))
    #expect(run.status == 65 && run.errors.contains("malformed-content"))
  }

  @Test(
    "what FCM does not carry is refused",
    arguments: [
      ("--push-type fcm --headers headers.txt", 64), ("--push-type fcm --visible badge", 64), ("--bare", 64),
      ("--push-type fcm --bare --lines", 64), ("--push-type fcm-data --priority 10", 65),
      ("--push-type fcm --lifetime 1h --expiration 1", 65),
    ])
  func refused(options: String, status: Int32) async throws {
    let pair = try await Pair()
    #expect(try await pair.tool.run("\(pair.seal) --in payload.json \(options)").status == status)
  }

  @Test("a notification beside the envelope is found, and what is too long is a fault")
  func lint() async throws {
    let pair = try await Pair()
    let message = try await pair.tool.succeed("\(pair.seal) --push-type fcm --in payload.json").text
    let shown = message.replacing(#"{"android""#, with: #"{"notification":{"title":"Ada"},"android""#)
    let run = try await pair.tool.run("lint --push-type fcm --strict", input: .text(shown))
    #expect(run.status == 65 && run.text.hasPrefix("warning: notification: visible-notification: "))
    let long = #"{"ENCRYPTED_DATA":"\#(String(repeating: "A", count: 4083))"}"#
    let fault = try await pair.tool.run("lint --push-type fcm", input: .text(long))
    #expect(fault.status == 65 && fault.text.hasPrefix("error: data: too-large: "))
  }

  @Test("the longest bodies are those of the format") func capacity() async throws {
    let text = try await Tool().succeed("inspect --capacity --push-type fcm").text
    for (suite, signed, anonymous) in [("x25519-chachapoly", 2872, 2944), ("p256-aesgcm", 2839, 2911)] {
      let rows = text.split(separator: "\n").filter { $0.contains(suite) }.map {
        $0.split(separator: " ").last
      }
      #expect(rows == ["\(signed)", "\(anonymous)"])
    }
  }

  @Test("an enrolment is accepted by who says so, and its phone gets its own from a line for a person")
  func person() async throws {
    let tool = try Tool()
    try await tool.makeSender()
    for name in ["device", "phone"] {
      try await tool.succeed("keys new --role device --out \(name).jwks --now \(start)")
    }
    let enrol = "keys enrol --keys device.jwks \(android) --token \(token) \(Tool.audience)"
    let enrolment = try await tool.succeed("\(enrol) --now \(start)").output
    let accept = "keys accept --registrations registrations \(Tool.backend) --person ada"
    let refused = try await tool.run("\(accept) --registration a --new", input: .bytes(enrolment))
    #expect(refused.status == 65 && refused.errors.contains("unsupported-service"))
    #expect(try !tool.names.contains("registrations"))
    _ = try await tool.register(
      enrolment, accept: "\(accept) --registration a --new --service fcm", enrol: enrol, at: start)
    let iPhone =
      "keys enrol --keys phone.jwks --identity other.jwks --topic com.example.app --token 00ff \(Tool.audience)"
    _ = try await tool.register(
      try await tool.succeed("\(iPhone) --now \(start)").output, accept: "\(accept) --registration p --new",
      enrol: iPhone, at: start)
    let seal = "seal --lines --recipients registrations --from sender.jwks --topic com.example.app"
    let line = #"{"to":{"person":"ada"},"payload":\#(sample)}"# + "\n"
    let answer = try await tool.succeed(
      "\(seal) --application-id com.example.my_app --now \(start)", input: .text(line)
    ).text
    #expect(answer.contains(#""service":"fcm","device_token":"\#(token)","suite":"#))
    #expect(answer.contains(#""message":{"token":"\#(token)","android":{"priority":"HIGH","#))
    #expect(answer.contains(#""device_token":"00ff","environment":"production","suite":"#))
    let call = try await tool.run(
      "\(seal) --application-id com.example.my_app --push-type voip --now \(start)", input: .text(line))
    #expect(call.status == 65 && call.text.contains(#""error":"not-carried-by-fcm""#))
    try await tool.succeed("keys forget --registrations registrations --service fcm --token \(token)")
    #expect(try !String(decoding: tool.contents("registrations"), as: UTF8.self).contains("fcm"))
  }

  @Test(
    "an enrolment has an address of its service",
    arguments: [
      "--service fcm --topic com.example.my-app --token a",
      "--service fcm --topic com.example.app --token a.b",
      "--service fcm --topic com.example.app --token a --environment sandbox",
      "--topic com.example.my_app --token 00ff", "--service hms --topic com.example.app --token a",
    ])
  func addresses(options: String) async throws {
    let tool = try Tool()
    try await tool.succeed("keys new --role device --out device.jwks")
    #expect(try await tool.run("keys enrol --keys device.jwks \(Tool.audience) \(options)").status == 64)
  }
}
