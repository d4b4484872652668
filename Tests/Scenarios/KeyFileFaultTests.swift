import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Key files that are wrong", .serialized)
struct KeyFileFaultTests {
  /// The commands that read a private key file, with its name for `FILE`.
  private static let readers = [
    "keys list --keys FILE", "keys export --keys FILE", "keys rotate --keys FILE", "keys prune --keys FILE",
    "seal --to device.pub.jwks --from FILE --topic a.b --in payload.json",
    "open --keys FILE --anonymous --topic a.b --in payload.json",
    "simulate --keys FILE --anonymous --topic a.b --in payload.json",
  ]

  /// The commands that read a public one.
  private static let publicReaders = [
    "seal --to FILE --anonymous --topic a.b --in payload.json",
    "open --keys device.jwks --senders FILE --topic a.b --in payload.json",
    "simulate --keys device.jwks --senders FILE --topic a.b --in payload.json",
  ]

  private func refuse(
    _ tool: Tool, _ name: String, _ status: Int32, _ message: String, by lines: [String] = readers,
    hint: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for line in lines {
      let line = line.replacingOccurrences(of: "FILE", with: name)
      let run = try await tool.refuse(line, status, message, sourceLocation: sourceLocation)
      #expect(run.error?.contains(name) == true, "\(line): \(run.errors)", sourceLocation: sourceLocation)
      if let hint { #expect(run.hint == hint, "\(line): \(run.errors)", sourceLocation: sourceLocation) }
    }
  }

  @Test func whatIsNotThere() async throws {
    let pair = try await Pair()
    try await refuse(pair.tool, "nowhere.jwks", 66, "there is no nowhere.jwks")
    try await refuse(pair.tool, "nowhere/keys.jwks", 66, "there is no nowhere/keys.jwks")
    try await refuse(pair.tool, "nowhere.jwks", 66, "there is no nowhere.jwks", by: Self.publicReaders)
  }

  @Test(arguments: [0o644, 0o640, 0o606] as [mode_t]) func whatOthersMayUse(mode: mode_t) async throws {
    let pair = try await Pair()
    for name in ["device.jwks", "sender.jwks"] { try pair.tool.setMode(mode, of: name) }
    let digits = "(mode 0\(String(mode, radix: 8)))"
    try await refuse(pair.tool, "device.jwks", 77, digits, hint: "chmod 600 device.jwks")
    // The hint is what helps.
    #expect(
      try await pair.tool.shell("chmod 600 device.jwks && sealpush keys list --keys device.jwks").status == 0)
  }

  @Test func aFolderThatOthersMayWrite() async throws {
    let pair = try await Pair()
    try pair.tool.setMode(0o777, of: ".")
    try await refuse(pair.tool, "device.jwks", 77, "others can replace device.jwks: ")
    try await pair.tool.refuse("keys new --role device --out new.jwks", 77, "others can replace new.jwks: ")
    try pair.tool.setMode(0o700, of: ".")
  }

  @Test(.hangGuard) func whatIsNoRegularFile() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    try FileManager.default.createSymbolicLink(atPath: tool.path("link"), withDestinationPath: "pipe")
    try #require(unsafe mkfifo(tool.path("pipe"), 0o600) == 0)
    try #require(unsafe mkdir(tool.path("folder"), 0o700) == 0)
    for line in ["rotate", "prune", "rotate --dry-run"] {
      try await tool.refuse("keys \(line) --keys link", 66, "link is not a regular file but a symbolic link")
    }
    try await tool.refuse("keys list --keys link", 66, "link is not a regular file but a pipe")
    try await refuse(
      tool, "pipe", 66, "pipe", hint: "--keys-fd N, --from-fd N and --key-file-fd N read an open pipe")
    try await refuse(tool, "folder", 66, "folder")
    try await refuse(tool, "/dev/zero", 66, "device")
    for name in ["pipe", "folder", "/dev/zero"] {
      try await refuse(tool, name, 66, "not a regular file", by: Self.publicReaders)
    }
  }

  @Test func privateKeysWherePublicOnesBelong() async throws {
    let pair = try await Pair()
    let secret = try pair.tool.secret(of: "device.jwks")
    for line in Self.publicReaders {
      let line = line.replacingOccurrences(of: "FILE", with: "device.jwks")
      let run = try await pair.tool.refuse(line, 65, "private where a public key is expected")
      #expect(run.hint == "write its public half: sealpush keys export --keys device.jwks")
      #expect(!run.errors.contains(secret))
    }
  }

  @Test(arguments: [0o600, 0o644, 0o666] as [mode_t])
  func publicKeysWherePrivateOnesBelong(mode: mode_t) async throws {
    let pair = try await Pair()
    try pair.tool.setMode(mode, of: "device.pub.jwks")
    try await refuse(
      pair.tool, "device.pub.jwks", 65, "key 0 is public, but a private key is needed",
      hint: "use the file that keys new made, not the output of keys export")
  }

  @Test func aDevicesKeysWhereASendersBelong() async throws {
    let pair = try await Pair()
    let faults = [
      (
        "seal --to sender.pub.jwks --anonymous --topic a.b --in payload.json",
        "sender.pub.jwks has a sender's keys, but a device's are needed"
      ),
      (
        "seal --to device.pub.jwks --from device.jwks --topic a.b --in payload.json",
        "device.jwks has a device's keys, but a sender's are needed"
      ),
      (
        "open --keys sender.jwks --anonymous --topic a.b --in payload.json",
        "sender.jwks has a sender's keys, but a device's or shared ones are needed"
      ),
      (
        "open --keys device.jwks --senders device.pub.jwks --topic a.b --in payload.json",
        "device.pub.jwks has a device's keys, but senders' are needed"
      ),
      (
        "keys doctor --keys device.jwks --public sender.pub.jwks",
        "sender.pub.jwks has a sender's keys, but a device's are needed"
      ),
    ]
    for (line, message) in faults {
      #expect(try await pair.tool.refuse(line, 65, message).error == message)
    }
    try await pair.tool.refuse(
      "\(pair.seal) --suite p256-aesgcm --in payload.json", 65, "no key of that suite")
  }

  @Test func whatIsNoKeySet() async throws {
    let pair = try await Pair()
    let faults: [(text: String, message: String)] = [
      ("", "it has no keys"), ("hello", "not strict JSON"), ("[]", "not a JWK Set"),
      (#"{"keys":[],"keys":[]}"#, "not strict JSON"), (#"{"v":1,"keys":[]}"#, "it has no keys"),
      (#"{"v":2,"keys":[]}"#, "written by a newer version"), ("{}", "not a JWK Set"),
      ("\u{feff}{}", "not strict JSON"),
    ]
    for fault in faults {
      try pair.tool.write(fault.text, to: "wrong.jwks")
      try await refuse(pair.tool, "wrong.jwks", 65, fault.message)
      try await refuse(pair.tool, "wrong.jwks", 65, fault.message, by: Self.publicReaders)
    }
  }

  @Test func aKeySetThatIsCut() async throws {
    let pair = try await Pair()
    let whole = try pair.tool.contents("device.jwks")
    // But for the line break at its end.
    for count in stride(from: 1, to: whole.count - 1, by: 7) {
      try pair.tool.write(Array(whole.prefix(count)), to: "cut.jwks")
      try await pair.tool.refuse("keys rotate --keys cut.jwks", 65, "cut.jwks: ")
      #expect(try pair.tool.contents("cut.jwks") == Array(whole.prefix(count)))
    }
  }

  @Test func whatAFileSaysDoesNotSteerTheTerminal() async throws {
    let pair = try await Pair()
    let text = String(decoding: try pair.tool.contents("device.jwks"), as: UTF8.self)
    let marked = text.replacingOccurrences(of: "\"kty\"", with: "\"\\u001b[31m\\u202e\\n\":1,\"kty\"")
    try pair.tool.write(marked, to: "marked.jwks")
    let run = try await pair.tool.refuse("keys list --keys marked.jwks", 65, "is unknown")
    #expect(run.errors.contains(#"'\u{1b}[31m\u{202e}\u{a}'"#), "\(run.errors)")
  }
}
