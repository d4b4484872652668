import Foundation
import Glibc
import TestSupport
import Testing

/// What another user can do who may write to a folder above that of a file.
@Suite("Folders of others", .serialized)
struct OthersFolderTests {
  private let pair: Pair
  private var tool: Tool { pair.tool }

  init() async throws { pair = try await Pair() }

  /// Moves files into a folder of their owner's alone, below one to which others may write: gives that one's path.
  private func share(_ names: String..., mode: mode_t = 0o777) throws -> String {
    for folder in ["shared", "shared/own"] { try #require(unsafe mkdir(tool.path(folder), 0o700) == 0) }
    for name in names {
      try FileManager.default.moveItem(atPath: tool.path(name), toPath: tool.path("shared/own/\(name)"))
    }
    try tool.setMode(mode, of: "shared")
    return tool.path("shared")
  }

  @Test(arguments: ["shared/own/sender.jwks", "link/sender.jwks"])
  func olderKeysAreNotLoaded(path: String) async throws {
    let before = try tool.contents("sender.jwks")
    try await tool.succeed("keys rotate --keys sender.jwks --again")
    let shared = try share("sender.jwks")
    try #require(unsafe mkdir("\(shared)/old", 0o700) == 0)
    try tool.write(before, to: "shared/old/sender.jwks")
    try #require(unsafe symlink("shared/own", tool.path("link")) == 0)
    // What whoever may write to the shared folder can do.
    try #require(unsafe rename("\(shared)/own", "\(shared)/new") == 0)
    try #require(unsafe rename("\(shared)/old", "\(shared)/own") == 0)
    let message = "others can replace \(path): \(shared) has mode 0777"
    for line in ["list", "rotate", "prune", "rotate --dry-run", "export"] {
      let run = try await tool.refuse("keys \(line) --keys \(path)", 77, message)
      #expect(run.hint == "chmod go-w \(shared), or move the file to a folder of your own")
    }
    try await tool.refuse(
      "seal --to device.pub.jwks --from \(path) \(Pair.topic)", 77, message, input: .text(#"{"aps":{}}"#))
    let finding = try await tool.mend("--keys \(path)", "error", "folder-permissions")
    #expect(finding.message.contains("\(shared) has mode 0777") && finding.mend == "chmod go-w \(shared)")
  }

  @Test(arguments: [0o770, 0o702, 0o3775] as [mode_t]) func whoMayWriteThere(mode: mode_t) async throws {
    let shared = try share("device.jwks", mode: mode)
    let path = "shared/own/device.jwks"
    guard mode & 0o1000 == 0 else {
      // Each name is its owner's to exchange, and this one is ours.
      try await tool.succeed("keys rotate --keys \(path)")
      return
    }
    let run = try await tool.refuse("keys rotate --keys \(path)", 77, "mode 0\(String(mode, radix: 8))")
    #expect(try await tool.shell(run.hint?.components(separatedBy: ", or").first ?? "exit 1").status == 0)
    try await tool.succeed("keys rotate --keys \(path)")
    #expect(try mode_t(0o700) | (mode & ~0o022) == TestSupport.mode(of: shared))
  }

  @Test func aFolderOfAnotherUsers() async throws {
    guard geteuid() == 0 else { return print("Not tested: only root can give folders away.") }
    let shared = try share("device.jwks", mode: 0o755)
    try #require(unsafe chown(shared, 65534, 65534) == 0)
    let run = try await tool.refuse(
      "keys rotate --keys shared/own/device.jwks", 77,
      "\(shared) belongs to another user (65534), who can replace")
    #expect(
      run.hint?.hasSuffix("in a container, 65534 stands for every user that the container does not know")
        == true)
    let found = try await tool.findings("--keys shared/own/device.jwks", status: 65)
    #expect(found.map(\.code) == ["folder-owner"])
    try await tool.paste(found[0].mend, now: start, environment: ["HOME": tool.folder])
    try await tool.succeed("keys doctor --keys .sealpush/device.jwks --now \(start)")
  }

  @Test func relativePathsAndRehearsals() async throws {
    let shared = try share("device.jwks")
    for line in [
      "keys list --keys device.jwks", "keys new --role device --out new.jwks",
      "keys rotate --dry-run --keys ./device.jwks",
    ] {
      let run = try await tool.shell("cd shared/own && sealpush \(line)")
      run.expectRefusal(line, 77, "\(shared) has mode 0777")
    }
  }

  @Test func registrationsAndSendersSets() async throws {
    let enrol = "keys enrol --keys device.jwks \(Pair.topic) --token 00ff \(Tool.audience)"
    let enrolment = try await tool.succeed(enrol)
    try await tool.succeed("keys new --role root --out root.jwks")
    try await tool.succeed("keys export --keys root.jwks --out root.pub.jwks")
    try await tool.succeed(
      "keys sign-senders --keys root.jwks --senders sender.pub.jwks \(Pair.topic) --out set --now \(start)")
    let shared = try share()
    let accept =
      "keys accept --registrations shared/own/registrations --registration phone --new \(Tool.backend)"
    let message = "\(shared) has mode 0777"
    try await tool.refuse(accept, 77, message, input: .bytes(enrolment.output))
    let senders = "keys accept --senders shared/own/senders --root root.pub.jwks \(Pair.topic) --in set"
    try await tool.refuse(senders, 77, message)
    try tool.setMode(0o755, of: "shared")
    _ = try await tool.register(enrolment.output, accept: accept, enrol: enrol)
    try await tool.succeed(senders)
    // Who reads them is not refused, but the doctor says so.
    try tool.setMode(0o777, of: "shared")
    let line = #"{"to":"phone","payload":{"aps":{"alert":"x"}}}"#
    try await tool.succeed(
      "seal --lines --recipients shared/own/registrations --from sender.jwks \(Pair.topic)",
      input: .text(line + "\n"))
    let doctor = "--keys sender.jwks --senders shared/own/senders --root root.pub.jwks \(Pair.topic)"
    let found = try await tool.mend(doctor, "warning", "folder-permissions")
    #expect(found.message.contains(message))
    try tool.setMode(0o777, of: "shared")
    try await tool.mend(
      "--keys sender.jwks --recipients shared/own/registrations", "warning", "folder-permissions")
    try tool.setMode(0o666, of: "shared/own/registrations")
    try await tool.mend(
      "--keys sender.jwks --recipients shared/own/registrations", "warning", "file-permissions")
    try await tool.refuse("keys doctor --keys sender.jwks --recipients none", 66, "cannot read none")
    guard geteuid() == 0 else { return print("Not tested: only root can give files away.") }
    try #require(unsafe chown(tool.path("sender.pub.jwks"), 65534, 65534) == 0)
    try await tool.mend("--keys sender.jwks --senders sender.pub.jwks", "warning", "file-owner")
  }
}
