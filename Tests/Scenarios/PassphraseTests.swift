import Foundation
import TestSupport
import Testing

@Suite("Key files behind a passphrase", .serialized, .hangGuard)
struct PassphraseTests {
  @Test func everyCommandOpensThem() async throws {
    let pair = try await Pair.encrypted("device", "sender")
    let (tool, given) = (pair.tool, "--passphrase-file words")
    let lines = [
      "keys list --keys device.jwks", "keys export --keys sender.jwks",
      "keys rotate --keys device.jwks --dry-run",
      "keys rotate --keys device.jwks --now \(start)",
      "keys prune --keys device.jwks --now \(start + 31 * day)",
      "keys prune --keys device.jwks --dry-run",
    ]
    let canary = Canary(Data(Pair.passphrase.utf8).base64URL)
    for line in lines {
      try await tool.refuse(line, 77, "is encrypted, and there is no terminal to ask for its passphrase")
      let run = try await tool.succeed("\(line) \(given)")
      #expect(!canary.isIn(run.output + Array(run.errors.utf8)))
    }
    try await tool.succeed("keys export --keys device.jwks --out device.pub.jwks --force \(given)")

    try await tool.refuse("\(pair.seal) --in payload.json", 77, "sender.jwks is encrypted")
    try await tool.succeed("\(pair.seal) --in payload.json --out sealed.json \(given)")
    try await tool.refuse("\(pair.open) --in sealed.json", 77, "device.jwks is encrypted")
    #expect(try await tool.succeed("\(pair.open) --in sealed.json \(given)").text == sample)
    #expect(
      try await tool.succeed("\(pair.simulate) --in sealed.json \(given)").text.contains("Lunch at noon?"))
    let inspect = "inspect --keys device.jwks \(Pair.topic) --in sealed.json"
    #expect(try await tool.succeed("\(inspect) \(given)").text.contains("padding"))
    // Whatever was done to them.
    for name in ["device.jwks", "sender.jwks"] { #expect(try tool.text(name).contains(#""encrypted":"#)) }
  }

  @Test func itIsReadFromAnOpenFile() async throws {
    let tool = try await Pair.encrypted("device", "sender").tool
    let list = "sealpush keys list --keys device.jwks --passphrase-fd"
    #expect(try await tool.shell("\(list) 7 7<words").status == 0)
    #expect(try await tool.shell("\(list) 0 <words").status == 0)
    #expect(try await tool.shell("\(list) 0 <wrong").status == 77)
    // The payload is behind it, to the byte.
    let seal = "sealpush seal --to device.pub.jwks --from sender.jwks \(Pair.topic) --passphrase-fd 0"
    let open =
      "sealpush open --keys device.jwks --senders sender.pub.jwks \(Pair.topic) --passphrase-file words"
    let run = try await tool.shell("(echo '\(Pair.passphrase)'; cat payload.json) | \(seal) | \(open)")
    #expect(run.text == sample, "\(run.errors)")
  }

  @Test func aNewFileIsEncryptedAtOnce() async throws {
    let tool = try Tool()
    try tool.write(Pair.passphrase, to: "words")
    try await tool.succeed("keys new --role shared --out shared.jwks --passphrase --passphrase-file words")
    #expect(try tool.text("shared.jwks").contains(#""encrypted":"#))
    #expect(try tool.mode(of: "shared.jwks") == 0o600)
    try tool.write(sample, to: "payload.json")
    let seal = "seal --to shared.jwks --anonymous \(Pair.topic) --in payload.json --out sealed.json"
    try await tool.refuse(seal, 77, "shared.jwks is encrypted")
    try await tool.succeed("\(seal) --passphrase-file words")
    let open = "open --keys shared.jwks --anonymous \(Pair.topic) --in sealed.json --passphrase-file words"
    #expect(try await tool.succeed(open).text == sample)
    try await tool.refuse("keys new --role device --out device.jwks --passphrase", 77, "there is no terminal")
    #expect(try !tool.names.contains("device.jwks"))
  }

  @Test func itIsChangedAndRemoved() async throws {
    let tool = try await Pair.encrypted("device").tool
    let change = "sealpush keys passphrase --keys device.jwks"
    let before = try tool.contents("device.jwks")
    for line in ["--passphrase-file wrong --new-passphrase-file wrong", "--passphrase-file wrong --remove"] {
      #expect(try await tool.shell("\(change) \(line)").status == 77)
    }
    try await tool.refuse(
      "keys passphrase --keys device.jwks --passphrase-file words", 77, "there is no terminal")
    #expect(try tool.contents("device.jwks") == before)

    let both = "\(change) --passphrase-fd 0 --new-passphrase-fd 0"
    #expect(try await tool.shell("printf '\(Pair.passphrase)\\nwrong horse\\n' | \(both)").status == 0)
    try await tool.refuse(
      "keys list --keys device.jwks --passphrase-file words", 77, "that is not the passphrase")
    try await tool.succeed("keys passphrase --keys device.jwks --passphrase-file wrong --remove")
    try await tool.succeed("keys list --keys device.jwks")
    #expect(try tool.text("device.jwks").contains(#""kty":"#))
  }

  @Test func theThreeFaultsAreToldApart() async throws {
    let tool = try await Pair.encrypted("device").tool
    let text = try tool.text("device.jwks")
    try tool.write(text.replacing("268435456", with: "68719476736"), to: "greedy.jwks")
    try tool.write(text.replacing(#""passes":3"#, with: #""passes":2"#), to: "damaged.jwks")
    try tool.write(String(text.dropLast(30)), to: "torn.jwks")
    let list = "keys list --passphrase-file"
    try await tool.refuse("\(list) wrong --keys device.jwks", 77, "that is not the passphrase of device.jwks")
    try await tool.refuse("\(list) words --keys damaged.jwks", 65, "damaged.jwks is damaged")
    try await tool.refuse("\(list) words --keys torn.jwks", 65, "torn.jwks is damaged")
    try await tool.refuse("\(list) words --keys greedy.jwks", 65, "greedy.jwks asks for more memory or time")
  }

  @Test func thereMayNotBeTheMemory() async throws {
    let tool = try await Pair.encrypted("device").tool
    let list = "sealpush keys list --keys device.jwks --passphrase-file words"
    // In KiB, and fewer than the 256 MiB.
    try await tool.shell("ulimit -v 250000; \(list)").expectRefusal(list, 1, "there is not enough memory")
  }

  @Test func whereItIsMustBeInOrder() async throws {
    let tool = try await Pair.encrypted("device").tool
    try tool.write("", to: "empty")
    try tool.write(String(repeating: "x", count: 1025), to: "long")
    try tool.write(Pair.passphrase, to: "open")
    try tool.setMode(0o640, of: "open")
    let list = "keys list --keys device.jwks"
    let refusals: [(options: String, status: Int32, message: String)] = [
      ("--passphrase-file words --passphrase-fd 0", 64, "either"),
      ("--passphrase-file -", 64, "must be a file"),
      ("--passphrase-fd x", 64, "--passphrase-fd must be an open file descriptor"),
      ("--passphrase-fd 4294967296", 64, "descriptor"),
      ("--passphrase-file none", 66, "cannot read none"), ("--passphrase-file .", 66, "not a file"),
      ("--passphrase-file open", 77, "can be read or written by others (mode 0640)"),
      ("--passphrase-file empty", 65, "the passphrase is missing"),
      ("--passphrase-file long", 65, "1024 bytes"),
      ("--passphrase-fd 2000000000", 66, "descriptor 2000000000"),
    ]
    for (options, status, message) in refusals {
      try await tool.refuse("\(list) \(options)", status, message)
    }
    try await tool.refuse("\(list) --passphrase \(Pair.passphrase)", 64)
    let change = "keys passphrase --keys device.jwks --passphrase-file words"
    try await tool.refuse("\(change) --remove --new-passphrase-file words", 64, "exclude each other")
    let export = "keys export --keys device.jwks --passphrase-file words --out words --force"
    try await tool.refuse(export, 64, "the same file")
  }
}
