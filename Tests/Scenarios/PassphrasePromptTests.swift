import Foundation
import Glibc
import TestSupport
import Testing

@Suite("A passphrase on a terminal", .serialized, .hangGuard)
struct PassphrasePromptTests {
  private let pair: Pair
  private let terminal: PseudoTerminal

  init() async throws {
    pair = try await Pair.encrypted("device")
    terminal = try PseudoTerminal()
  }

  private var tool: Tool { pair.tool }

  /// Starts the tool with the terminal as its own.
  private func start(_ line: String) throws -> (child: Child, output: String) {
    var surroundings = try tool.surroundings()
    surroundings.input = terminal.path
    let words = line.split(separator: " ").map(String.init)
    return (try Child([Tool.binary] + words, in: surroundings), surroundings.output)
  }

  @Test func isAskedForAndNotShown() async throws {
    let (child, output) = try start("keys list --json --keys device.jwks")
    try await terminal.wait(for: "Passphrase of device.jwks: ")
    #expect(!terminal.isEchoing)
    terminal.type("\(Pair.passphrase)\n")
    #expect(try await child.wait() == .exited(0))
    #expect(terminal.isEchoing)
    terminal.read()
    #expect(terminal.written == "Passphrase of device.jwks: \r\n")
    #expect(try String(contentsOfFile: output, encoding: .utf8).contains("active"))
  }

  @Test func isNotAskedForInVain() async throws {
    for options in [
      "--keys device.jwks --passphrase-file words", "--keys device.jwks --passphrase-file wrong",
    ] {
      let (child, _) = try start("keys list \(options)")
      #expect(try await child.wait() == .exited(options.hasSuffix("words") ? 0 : 77))
    }
    try await tool.succeed("keys passphrase --keys device.jwks --passphrase-file words --remove")
    #expect(try await start("keys list --keys device.jwks").child.wait() == .exited(0))
    terminal.read()
    #expect(terminal.written.isEmpty)
  }

  @Test func mayBeWrongOrEmpty() async throws {
    let (child, _) = try start("keys list --keys device.jwks")
    try await terminal.wait(for: ": ")
    terminal.type("wrong horse\n")
    #expect(try await child.wait() == .exited(77))
    let (other, _) = try start("keys list --keys device.jwks")
    try await terminal.wait(for: ": ", times: 2)
    terminal.type("\n")
    #expect(try await other.wait() == .exited(65))
    #expect(terminal.isEchoing)
  }

  @Test(arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU])
  func aSignalLeavesTheTerminalAsItWas(signal: Int32) async throws {
    let (child, _) = try start("keys list --keys device.jwks")
    try await terminal.wait(for: "Passphrase of device.jwks: ")
    #expect(!terminal.isEchoing)
    terminal.type("half of a secr")
    switch signal {
    case SIGINT: terminal.type("\u{3}")
    case SIGQUIT: terminal.type("\u{1c}")
    default: child.send(signal)
    }
    #expect(try await child.wait() == .killed(by: signal))
    #expect(terminal.isEchoing)
    terminal.read()
    #expect(!terminal.written.contains("secr"))
  }

  @Test func aDescriptorThatIsATerminalIsRefused() async throws {
    try #require(unsafe chmod(terminal.path, 0o600) == 0)
    for line in [
      "list --keys device.jwks --passphrase-fd 0",
      "list --keys device.jwks --passphrase-file \(terminal.path)",
      "passphrase --keys device.jwks --remove --passphrase-fd 0",
    ] {
      #expect(try await start("keys \(line)").child.wait() == .exited(64), "\(line)")
    }
    #expect(terminal.isEchoing)
  }

  @Test func aNewOneIsTypedTwice() async throws {
    let (child, _) = try start("keys new --role device --out new.jwks --passphrase")
    try await terminal.wait(for: "New passphrase of new.jwks: ")
    #expect(!terminal.isEchoing)
    terminal.type("\(Pair.passphrase)\n")
    try await terminal.wait(for: "Repeat it: ")
    #expect(!terminal.isEchoing)
    terminal.type("\(Pair.passphrase)\n")
    #expect(try await child.wait() == .exited(0))
    try await tool.succeed("keys list --keys new.jwks --passphrase-file words")
  }

  @Test func twoThatDifferAreNone() async throws {
    let (child, _) = try start("keys new --role device --out new.jwks --passphrase")
    try await terminal.wait(for: "New passphrase of new.jwks: ")
    terminal.type("\(Pair.passphrase)\n")
    try await terminal.wait(for: "Repeat it: ")
    terminal.type("wrong horse\n")
    #expect(try await child.wait() == .exited(1))
    #expect(try !tool.names.contains("new.jwks"))
    // Nobody types one for a file that is not going to be made.
    #expect(
      try await start("keys new --role device --out device.jwks --passphrase").child.wait() == .exited(73))
  }

  @Test func anotherOneComesAfterTheOldOne() async throws {
    let (child, _) = try start("keys passphrase --keys device.jwks")
    try await terminal.wait(for: "Passphrase of device.jwks: ")
    terminal.type("\(Pair.passphrase)\n")
    try await terminal.wait(for: "New passphrase of device.jwks: ")
    terminal.type("wrong horse\n")
    try await terminal.wait(for: "Repeat it: ")
    terminal.type("wrong horse\n")
    #expect(try await child.wait() == .exited(0))
    try await tool.succeed("keys list --keys device.jwks --passphrase-file wrong")
    #expect(terminal.screen.allSatisfy { !$0.contains("horse") })
  }
}
