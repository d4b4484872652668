import Foundation
import Testing

/// Keys that a command is given on a descriptor.
@Suite("Keys from a descriptor", .serialized)
struct KeyDescriptorTests {
  private let pair: Pair
  private var tool: Tool { pair.tool }

  init() async throws { pair = try await Pair() }

  @Test(arguments: [
    "keys list --keys-fd 3 3<device.jwks", "keys list --keys-fd 0 <device.jwks",
    "keys list --keys - <device.jwks",
    "keys list --keys-fd 9 9<<'END'\n$(cat device.jwks)\nEND", "keys list --keys - < pipe",
  ])
  func ofAnyKind(words: String) async throws {
    let words = words.replacingOccurrences(of: "$(cat device.jwks)", with: try tool.text("device.jwks"))
    let run = try await tool.shell(
      "mkfifo pipe; cat device.jwks > pipe &\nsealpush \(words)\nkill $! 2>&-; :")
    #expect(run.lines.count == 2 && run.errors.isEmpty, "\(words): \(run.errors)")
  }

  @Test func byEveryCommandThatOnlyReads() async throws {
    let seal = "seal --to device.pub.jwks --in payload.json \(Pair.topic) --now \(start)"
    let read = "--senders sender.pub.jwks --in sealed \(Pair.topic) --now \(start)"
    for (keys, from) in [("--keys-fd 3", "--from-fd 3"), ("--keys -", "--from -")] {
      let redirection = keys.hasSuffix("-") ? "<" : "3<"
      let run = try await tool.shell(
        """
        set -e
        sealpush \(seal) \(from) --out sealed --force \(redirection)sender.jwks
        sealpush open \(keys) \(read) \(redirection)device.jwks
        sealpush simulate \(keys) \(read) --json \(redirection)device.jwks
        sealpush inspect \(keys) --in sealed \(Pair.topic) \(redirection)device.jwks
        sealpush keys export \(keys) \(redirection)device.jwks | cmp - device.pub.jwks
        """)
      #expect(run.status == 0, "\(keys): \(run.errors)")
    }
  }

  @Test func withLinesOnStandardInput() async throws {
    let run = try await tool.shell(
      "sealpush seal --lines --to device.pub.jwks --from-fd 3 \(Pair.topic) 3<sender.jwks",
      input: .text(#"{"payload":{"aps":{"alert":"x"}}}"# + "\n"))
    #expect(run.status == 0 && run.lines.count == 1, "\(run.errors)")
  }

  @Test func withAPassphrase() async throws {
    let pair = try await Pair.encrypted("device")
    for words in [
      "--keys-fd 3 --passphrase-fd 4 3<device.jwks 4<words",
      "--keys-fd 3 --passphrase-file words 3<device.jwks",
      "--keys - --passphrase-fd 0", "--keys-fd 0 --passphrase-fd 0",
    ] {
      let run = try await pair.tool.shell(
        "(head -n 1 words; cat device.jwks) | sealpush keys list \(words)")
      #expect(run.lines.count == 2, "\(words): \(run.errors)")
    }
    try await pair.tool.refuse(
      "keys list --keys -", 77, "standard input is encrypted", input: .file(pair.tool.path("device.jwks")))
    let wrong = try await pair.tool.shell(
      "sealpush keys list --keys-fd 3 --passphrase-file wrong 3<device.jwks")
    wrong.expectRefusal("wrong", 77, "that is not the passphrase of descriptor 3")
  }

  @Test func whatCannotBeRead() async throws {
    let faults: [(words: String, status: Int32, message: String)] = [
      ("--keys-fd 1", 64, "--keys-fd cannot be 1"), ("--keys-fd 2", 64, "--keys-fd cannot be 2"),
      ("--keys-fd x", 64, "--keys-fd must be an open file descriptor"),
      ("--keys-fd 9 9<&-", 66, "descriptor 9: it is not open"),
      ("--keys-fd 2000000000", 66, "descriptor 2000000000"), ("--keys-fd 9 9<.", 66, "descriptor 9"),
      ("--keys device.jwks --keys-fd 3", 64, "--keys and --keys-fd exclude each other"),
      ("--keys-fd 9 9</dev/zero", 65, "descriptor 9 is larger than any key file"),
      ("--keys-fd 9 9</dev/null", 65, "descriptor 9: it has no keys"),
      ("--keys - <&-", 66, "standard input: it is not open"), ("", 64, "--keys FILE|- is missing"),
      ("--keys-fd 9 9<device.pub.jwks", 65, "descriptor 9: key 0 is public"),
    ]
    for fault in faults {
      let run = try await tool.shell("sealpush keys list \(fault.words)")
      run.expectRefusal(fault.words, fault.status, fault.message)
    }
  }

  @Test(arguments: [
    ("seal --to device.pub.jwks --from -", "--from and --in"),
    ("seal --to device.pub.jwks --from-fd 0", "--from-fd and --in"),
    ("seal --to device.pub.jwks --lines --from - --in -", "--from and --in"),
    ("open --keys - --senders sender.pub.jwks", "--keys and --in"),
    ("simulate --keys-fd 0 --senders sender.pub.jwks", "--keys-fd and --in"),
  ])
  func thatSomethingElseReads(line: String, options: String) async throws {
    try await tool.refuse(
      "\(line) \(Pair.topic)", 64, "\(options) are both standard input", input: .text(sample))
  }

  @Test func aPipeByItsPath() async throws {
    let run = try await tool.shell("cat device.jwks | sealpush keys list --keys /dev/fd/0")
    run.expectRefusal("/dev/fd/0", 66, "/dev/fd/0 is not a regular file but a pipe")
    #expect(run.hint == "--keys-fd N, --from-fd N and --key-file-fd N read an open pipe")
  }
}
