import Foundation
import PushKeys
import PushCore
import TestSupport
import Testing

/// What `open` and `seal` write on a terminal, where a sender's text could steer it or hide other text.
@Suite("Messages on a terminal", .serialized, .hangGuard)
struct OpenTerminalTests {
  /// A control sequence of one character, a direction override and a delete, as a sender may send them, with white
  /// space that would overwrite what is before it.
  private static let payload =
    "{\"a\":1,\r\n\t\"aps\":{\"alert\":{\"title\":\"\u{9b}2J\u{202e}gnp.exe\u{7f} é\"}}}"
  /// The same on a terminal, which writes a line feed as a line's end and its beginning.
  private static let shown =
    "{\"a\":1,\r\n\r\n\t\"aps\":{\"alert\":{\"title\":\"" + #"\u009b2J\u202egnp.exe\u007f é"}}}"#

  private let pair: Pair
  private let terminal: PseudoTerminal

  init() async throws {
    pair = try await Pair(.anonymous)
    terminal = try PseudoTerminal()
  }

  /// The payload as another implementation may seal it, with its white space.
  private func sealed() throws -> [UInt8] {
    let text = try pair.tool.contents("device.pub.jwks")
    let keys = try PublicKeySet(parsing: text.span)
    var forge = Forge("terminal", to: try keys.recipient(), from: nil)
    (forge.content, forge.issuedAt) = (Array(Self.payload.utf8), UInt64(start))
    return try forge.payload().encoded()
  }

  /// Runs a command on the terminal, until it has written a text.
  private func write(_ line: String, _ input: Tool.Input, until text: String) async throws {
    var surroundings = try pair.tool.surroundings(input: input)
    surroundings.output = terminal.path
    let child = try Child([Tool.binary] + line.split(separator: " ").map(String.init), in: surroundings)
    #expect(try await child.wait() == .exited(0))
    try await terminal.wait(for: text)
  }

  @Test func anOpenedPayloadIsEscaped() async throws {
    try await write("\(pair.open) --now \(start)", .bytes(sealed()), until: "}}}")
    #expect(terminal.written == Self.shown)
  }

  @Test func aPipeAndAFileGetTheExactBytes() async throws {
    let (open, sealed) = ("\(pair.open) --now \(start)", try sealed())
    #expect(try await pair.tool.shell("sealpush \(open) | cat", input: .bytes(sealed)).text == Self.payload)
    try await pair.tool.succeed("\(open) --out opened.json", input: .bytes(sealed))
    #expect(try pair.tool.contents("opened.json") == Array(Self.payload.utf8))
  }

  /// Another system's plaintext may have lines, and bytes that are no text.
  @Test func anotherFormatsPlaintextIsEscaped() async throws {
    _ = try await pair.tool.shell("umask 077; echo password > secret")
    let format = "--format openssl-salted --unauthenticated --secret secret"
    let plaintext = Array("a\u{9b}2J\n".utf8) + [0xff] + Array("\u{202e}b\r".utf8)
    let sealed = try await pair.tool.succeed("seal \(format)", input: .bytes(plaintext)).output
    #expect(try await pair.tool.succeed("open \(format)", input: .bytes(sealed)).output == plaintext)
    try await write("open \(format)", .bytes(sealed), until: "b")
    #expect(terminal.written == #"a\u{9b}2J"# + "\r\n\u{fffd}" + #"\u{202e}b\u{d}"#)
  }

  @Test func whatStaysVisibleOfASealedPayloadIsEscaped() async throws {
    let payload = #"{"aps":{"alert":"a","thread-id":"\u009b\u202e"}}"#
    let seal = "\(pair.seal) --visible thread-id"
    let exact = try await pair.tool.succeed(seal, input: .text(payload)).text
    #expect(exact.contains("\"thread-id\":\"\u{9b}\u{202e}\""))
    try await write(seal, .text(payload), until: "}")
    #expect(terminal.written.contains(#""thread-id":"\u009b\u202e""#), "\(terminal.written)")
    #expect(!terminal.written.unicodeScalars.contains { ["\u{9b}", "\u{202e}"].contains($0) })
  }

  /// In a file, only the payload of a line is exact.
  @Test func linesAreEscaped() async throws {
    let line = #"{"payload":{"aps":{"alert":"a","thread-id":"\u009b"},"\u202ek":"1234"}}"#
    let seal = "\(pair.seal) --lines --visible thread-id"
    let exact = try await pair.tool.succeed(seal, input: .text(line)).text
    #expect(exact.contains("\"thread-id\":\"\u{9b}\""), "\(exact)")
    try await write(seal, .text(line + "\n"), until: "}")
    #expect(terminal.written.contains(#""thread-id":"\u009b""#), "\(terminal.written)")
    let body = String(repeating: "b", count: 3000)
    let long = #"{"payload":{"aps":{"alert":"a"},"\u202ek":"\#(body)"}}"#
    let cut = try await pair.tool.run(
      words: "\(pair.seal) --lines --drop".split(separator: " ").map(String.init) + ["\u{202e}k"],
      input: .text(long))
    #expect(cut.text.contains(#""cuts":[{"key":"\u202ek","kept":0}]"#), "\(cut.text) \(cut.errors)")
  }

  @Test func aFindingIsEscaped() async throws {
    let payload = #"{"aps":{"alert":"a"},"\u202ekey":1}"#
    let run = try await pair.tool.run("lint --json", input: .text(payload))
    #expect(run.text.contains(#""key":"\u202ekey""#), "\(run.text)")
    #expect(!run.text.unicodeScalars.contains("\u{202e}"))
  }
}
