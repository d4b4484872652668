import Foundation
import Glibc
import Testing

/// A trouble that the doctor finds, and what shows that it is there.
private struct Trouble: CustomTestStringConvertible {
  let code: String
  /// The shell script that makes it.
  let cause: String
  /// What the doctor is given.
  let options: String
  var now = start
  /// The shell script for what only a person can do after the command; nil if there is nothing to do.
  var human: String?
  /// The shell script that works only without the trouble.
  let proof: String

  var testDescription: String { "\(code): \(options)" }
}

/// Every command is run as it is printed.
///
/// What counts is that the trouble is gone, not that the doctor is silent; and without what a person has to do, it is not.
@Suite("The doctor, of troubles", .serialized)
struct DoctorTroubleTests {
  private static let later = start + 40 * day
  /// A message from the sender, with its keys at a time, and the phone that has a copy of the senders' keys.
  private static func deliver(at now: Int, trusting copy: String) -> String {
    """
    sealpush seal --to device.pub.jwks --from sender.jwks \(Pair.topic) --in payload.json --now \(now) |
      sealpush open --keys device.jwks --senders \(copy) \(Pair.topic) --now \(now)
    """
  }
  private static func rotated(_ name: String, _ count: Int, at now: Int = start) -> String {
    (0..<count).map { _ in "sealpush keys rotate --keys \(name).jwks --again --now \(now) > new.pub" }
      .joined(separator: "\n")
  }
  private static let handOut = "mv copy.to-hand-out copy"
  private static let signed = """
    sealpush keys new --role root --out root.jwks --now \(start)
    sealpush keys export --keys root.jwks --out root.pub.jwks
    sealpush keys new --role sender --out other.jwks --now \(start)
    sealpush keys export --keys other.jwks --out sender.pub.jwks --force --merge
    sealpush keys sign-senders --keys root.jwks --senders sender.pub.jwks \(Pair.topic) --out copy --now \(start)

    """
  private static let root = "--root root.pub.jwks"
  /// Another sender, whose keys the devices have too, goes on.
  private static let otherSender = """
    sealpush seal --to device.pub.jwks --from other.jwks \(Pair.topic) --in payload.json --now \(start) |
      sealpush open --keys device.jwks --senders copy \(root) \(Pair.topic) --now \(start)
    """
  /// What a thief of the revoked key sends is refused.
  private static func thief(trusting copy: String) -> String {
    """
    sealpush seal --to device.pub.jwks --from stolen.jwks \(Pair.topic) --in payload.json --now \(start) > forged
    if sealpush open --keys device.jwks --senders \(copy) \(Pair.topic) --now \(start) --in forged; then exit 1; fi
    """
  }
  private static let theft = """
    cp -p sender.jwks stolen.jwks
    kid=$(sealpush keys list --keys sender.jwks | awk '/^active/ { print $NF }')
    printf %s "$kid" > kid
    sealpush keys revoke --keys sender.jwks "--kid=$kid" --now \(start) > new.pub

    """
  private static let damaged = "cp -p device.jwks backup; sed -i 's/^]}$//' device.jwks"

  private static let troubles = [
    Trouble(
      code: "not-handed-out", cause: "cp sender.pub.jwks copy\n" + rotated("sender", 3),
      options: "--keys sender.jwks --senders copy", human: handOut,
      proof: deliver(at: start, trusting: "copy")),
    Trouble(
      code: "not-handed-out", cause: signed + rotated("sender", 3),
      options: "--keys sender.jwks --senders copy \(root) \(Pair.topic)", human: handOut,
      proof: deliver(at: start, trusting: "copy \(root)") + "\n" + otherSender),
    Trouble(
      code: "not-handed-out", cause: "cp device.pub.jwks copy\n" + rotated("device", 1),
      options: "--keys device.jwks --public copy", now: later, human: "\(handOut); cp copy device.pub.jwks",
      proof: deliver(at: later, trusting: "sender.pub.jwks")),
    Trouble(
      code: "gone-key-in-use", cause: "cp device.pub.jwks copy\n" + rotated("device", 1),
      options: "--keys device.jwks --public copy", now: later, human: "\(handOut); cp copy device.pub.jwks",
      proof: deliver(at: later, trusting: "sender.pub.jwks")),
    Trouble(
      code: "gone-key-in-use", cause: "cp sender.pub.jwks copy\n" + theft,
      options: "--keys sender.jwks --senders copy", human: handOut,
      proof: thief(trusting: "copy") + "\n" + deliver(at: start, trusting: "copy")),
    Trouble(
      code: "gone-key-in-use", cause: signed + theft,
      options: "--keys sender.jwks --senders copy \(root) \(Pair.topic)", human: handOut,
      proof: thief(trusting: "copy \(root)") + "\n" + deliver(at: start, trusting: "copy \(root)")),
    Trouble(
      code: "set-ended", cause: signed, options: "--keys sender.jwks --senders copy \(root) \(Pair.topic)",
      now: start + 401 * day, human: handOut, proof: deliver(at: start + 401 * day, trusting: "copy \(root)")),
    Trouble(
      code: "set-ends-soon", cause: signed, options: "--keys root.jwks --senders copy \(root) \(Pair.topic)",
      now: start + 399 * day, human: handOut, proof: deliver(at: start + 401 * day, trusting: "copy \(root)")),
    Trouble(
      code: "active-ended",
      cause:
        "cp device.pub.jwks copy\nsed -i 's/\"status\"/\"exp\":\(start + 1),\"status\"/' device.jwks device.pub.jwks",
      options: "--keys device.jwks --public copy", now: start + 2,
      human: "sealpush keys export --keys device.jwks --out device.pub.jwks --force; cp device.pub.jwks copy",
      proof: deliver(at: start + 2, trusting: "sender.pub.jwks")),
    Trouble(
      code: "active-not-begun",
      cause:
        "sed -i 's/,\"status\":\"active\"/,\"nbf\":\(start + 50 * day),\"status\":\"active\"/' sender.jwks",
      options: "--keys sender.jwks", proof: deliver(at: start, trusting: "sender.pub.jwks")),
    Trouble(
      code: "old-active-key",
      cause: "cp sender.pub.jwks copy\n" + rotated("sender", 1) + "\ncp -p sender.jwks old.jwks",
      options: "--keys sender.jwks --senders copy", now: later,
      human:
        "\(handOut); sealpush keys rotate --keys sender.jwks --if-older-than 30d --now \(later) > new.pub",
      proof: """
        active() { sealpush keys list --keys $1.jwks | awk '/^active/ { print $NF }'; }
        [ "$(active sender)" != "$(active old)" ]
        \(deliver(at: later, trusting: "copy"))
        """),
    Trouble(
      code: "old-active-key", cause: "cp device.pub.jwks copy; cp copy old",
      options: "--keys device.jwks --public copy",
      now: later,
      human: "sealpush keys export --keys device.jwks --out device.pub.jwks --force; cp device.pub.jwks copy",
      proof: "if cmp -s device.pub.jwks old; then exit 1; fi\n"
        + deliver(at: later, trusting: "sender.pub.jwks")),
    Trouble(
      code: "accepted-ended", cause: rotated("device", 1), options: "--keys device.jwks",
      now: start + 31 * day,
      proof: "[ $(sealpush keys list --keys device.jwks | wc -l) = 2 ]"),
    Trouble(
      code: "accepted-without-end",
      cause: rotated("device", 1) + "\nsed -i 's/,\"exp\":\(start + 30 * day)//' device.jwks",
      options: "--keys device.jwks", now: start + day,
      human: """
        sealpush keys export --keys device.jwks --out device.pub.jwks --force
        sealpush keys confirm --keys device.jwks --now \(start + day)
        """,
      proof: """
        sealpush keys prune --keys device.jwks --now \(later)
        [ $(sealpush keys list --keys device.jwks | wc -l) = 2 ]
        \(deliver(at: later, trusting: "sender.pub.jwks"))
        """),
    Trouble(
      code: "does-not-load", cause: damaged, options: "--keys device.jwks", human: "mv backup device.jwks",
      proof: deliver(at: start, trusting: "sender.pub.jwks")),
    Trouble(
      code: "does-not-load", cause: "sed -i 's/\"active\"/\"accepted\"/' device.jwks",
      options: "--keys device.jwks",
      human: "sed -i 's/\"accepted\"/\"active\"/' device.jwks",
      proof: deliver(at: start, trusting: "sender.pub.jwks")),
    Trouble(
      code: "newer-version", cause: "sed -i 's/\"v\":1/\"v\":2/' device.jwks", options: "--keys device.jwks",
      human: "sed -i 's/\"v\":2/\"v\":1/' device.jwks", proof: deliver(at: start, trusting: "sender.pub.jwks")
    ),
    Trouble(
      code: "not-encrypted", cause: "(umask 077; echo words > words)",
      options: "--keys device.jwks --passphrase-file words",
      human: "sealpush keys passphrase --keys device.jwks --new-passphrase-file words",
      proof: "grep -q '\"encrypted\"' device.jwks"),
    Trouble(
      code: "file-permissions", cause: "chmod 644 device.jwks", options: "--keys device.jwks",
      proof: "[ -z \"$(find device.jwks -perm /077)\" ]; sealpush keys list --keys device.jwks"),
    Trouble(
      code: "folder-permissions", cause: "chmod 777 .", options: "--keys device.jwks",
      proof: "[ -z \"$(find . -maxdepth 0 -perm /022)\" ]; sealpush keys list --keys device.jwks"),
  ]

  @Test(arguments: troubles) private func isGone(trouble: Trouble) async throws {
    let pair = try await Pair()
    let tool = pair.tool
    try await tool.run(shell: trouble.cause)
    #expect(try await tool.shell("set -e\n" + trouble.proof).status != 0, "no trouble")
    let options = "\(trouble.options) --now \(trouble.now)"
    let stolen = try? tool.text("kid")
    let finding = try #require(
      try await tool.allFindings(options).first {
        $0.code == trouble.code && (stolen == nil || $0.kid == stolen)
      })
    try await tool.paste(finding.mend, now: trouble.now, environment: ["EDITOR": "true"])
    if let human = trouble.human {
      // The trouble is there, and the doctor says so: a finding, or that there is no file.
      #expect(
        try await tool.shell("set -e\n" + trouble.proof).status != 0, "gone before anybody did anything")
      let left = try await tool.run("keys doctor --json \(options)")
      #expect(left.status != 0 || !left.output.isEmpty, "silent")
      try await tool.run(shell: human)
    }
    let proof = try await tool.shell("set -e\n" + trouble.proof)
    #expect(proof.status == 0, "\(finding.mend): \(proof.errors)")
    // What is left is no error, unless it is another's.
    let left = try await tool.allFindings(options)
    #expect(!left.contains { $0.severity == "error" && $0.code == trouble.code }, "\(left)")
  }

  /// What only root can do to itself: `file-owner`, `folder-owner` and `link-owner`.
  @Test(.enabled(if: geteuid() == 0, "only root can give files away"), arguments: ["file", "folder", "link"])
  func isGoneThatIsAnothers(thing: String) async throws {
    let tool = try await Pair().tool
    try await tool.run(
      shell: """
        mkdir -m 700 own && mv device.jwks own && ln -s own link
        case \(thing) in
          file) chown 777 own/device.jwks ;; folder) chown 777 own ;; link) chown -h 777 link ;;
        esac
        """)
    let path = thing == "link" ? "link/device.jwks" : "own/device.jwks"
    let finding = try #require(try await tool.allFindings("--keys \(path) --now \(start)").first)
    #expect(finding.code == "\(thing)-owner")
    try await tool.paste(finding.mend, now: start, environment: ["HOME": tool.folder])
    let place = thing == "link" ? ".sealpush/device.jwks" : path
    try await tool.succeed(
      "open --keys \(place) --senders sender.pub.jwks \(Pair.topic) --now \(start)",
      input: .bytes(
        try await tool.succeed(
          "seal --to device.pub.jwks --from sender.jwks \(Pair.topic) --in payload.json --now \(start)"
        ).output))
  }

  @Test func areAllInTheTable() throws {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Documentation/Operating/Keys.md")
    let rows = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").filter {
      $0.hasPrefix("| `")
    }
    let codes = rows.flatMap { row in
      row.split(separator: "|")[0].split(separator: "`").map(String.init).filter { $0.contains("-") }
    }
    // No test may set the machine's clock. `DevicesReportTests` has phones.
    let others = ["file-owner", "folder-owner", "link-owner", "made-in-future", "phones-behind"]
    let tried = Set(Self.troubles.map(\.code)).union(others)
    #expect(codes.count > 10)
    #expect(tried.symmetricDifference(codes).isEmpty, "\(tried.symmetricDifference(codes))")
  }
}

extension Tool {
  /// Runs a shell script that must work.
  fileprivate func run(shell script: String) async throws {
    let run = try await shell("set -e\n" + script)
    try #require(run.status == 0, "\(script): \(run.errors)")
  }

  /// What the doctor finds, whatever its exit status.
  fileprivate func allFindings(_ options: String) async throws -> [Finding] {
    let run = try await run("keys doctor --json \(options)")
    return try run.lines.map { try JSONDecoder().decode(Finding.self, from: Data($0.utf8)) }
  }
}
