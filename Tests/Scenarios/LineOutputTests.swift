import Foundation
import Glibc
import TestSupport
import Testing

/// What many messages leave when a disk is full: whole lines, each once, whatever goes where.
@Suite("Lines that cannot be written", .serialized, .hangGuard)
struct LineOutputTests {
  private let pair: Pair
  private var tool: Tool { pair.tool }
  private var sealInput: String {
    "seal --lines --to device.pub.jwks --from sender.jwks \(Pair.topic) --now \(start)"
  }
  private var seal: String { "\(sealInput) --in input.jsonl" }

  private struct Line: Decodable { let line: Int }

  init() async throws {
    pair = try await Pair()
    let lines = (1...300).map { #"{"payload":\#($0.isMultiple(of: 2) ? sample : "7")}"# }
    try pair.tool.write(lines.joined(separator: "\n"), to: "input.jsonl")
  }

  private func numbers(_ output: [UInt8]) throws -> [Int] {
    #expect(output.isEmpty || output.last == UInt8(ascii: "\n"))
    return try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Line.self, from: Data($0)).line
    }
  }

  @Test("errors that cannot be written keep what was sealed with them back")
  func errors() async throws {
    // The first errors alone are too many, however few lines are read at once.
    let lines = (1...300).map { #"{"payload":\#($0 > 20 && $0.isMultiple(of: 2) ? sample : "7")}"# }
    try tool.write(lines.joined(separator: "\n"), to: "input.jsonl")
    let run = try await tool.shell("ulimit -f 1; sealpush \(seal) --errors errors.jsonl")
    #expect(run.status == 1)
    #expect(run.error == "cannot write errors.jsonl: File too large")
    // The first lines may have been written before the others were read.
    let failed = try numbers(tool.contents("errors.jsonl"))
    let sealed = try numbers(run.output)
    let done = max(failed.last ?? 0, sealed.last ?? 0)
    #expect(run.hint == "continue with --skip \(done), into other files")
    #expect(done < 300 && (failed + sealed).sorted() == Array(1..<done + 1))
  }

  @Test(
    "messages that cannot be written take their errors back",
    arguments: ["--out output.jsonl", "> output.jsonl"])
  func messages(output: String) async throws {
    let run = try await tool.shell("ulimit -f 180; sealpush \(seal) --errors errors.jsonl \(output)")
    #expect(run.status == 1 && run.error?.hasSuffix(": File too large") == true)
    let (sealed, failed) = (
      try numbers(try tool.contents("output.jsonl")), try numbers(try tool.contents("errors.jsonl"))
    )
    let count = sealed.count + failed.count
    #expect((1..<300).contains(count))
    #expect((sealed + failed).sorted() == Array(1...count))
    #expect(run.hint == "continue with --skip \(count), into other files")
  }

  @Test("what others wrote behind it is not taken away")
  func shared() async throws {
    try tool.write("theirs\n", to: "output.jsonl")
    let run = try await tool.shell("ulimit -f 180; sealpush \(seal) --errors errors.jsonl >> output.jsonl")
    #expect(run.status == 1)
    let output = String(decoding: try tool.contents("output.jsonl"), as: UTF8.self)
    #expect(output.hasPrefix("theirs\n{") && output.hasSuffix("\n"))
  }

  @Test("lines that a shell appends to a broken line begin behind it")
  func appended() async throws {
    for (before, after) in [(#"{"line":1,"he"#, #"{"line":1,"he"# + "\n"), ("whole\n", "whole\n"), ("", "")] {
      try tool.write(before, to: "output.jsonl")
      let run = try await tool.shell("sealpush \(seal) --skip 298 >> output.jsonl")
      #expect(run.status == 65)
      let output = String(decoding: try tool.contents("output.jsonl"), as: UTF8.self)
      #expect(output.hasPrefix(after + #"{"line":300,"#))
    }
  }

  @Test("what the disk did not take is not to be skipped", arguments: [nil, "output.jsonl", "errors.jsonl"])
  func unconfirmed(name: String?) async throws {
    // All lines come with the first call; the second one fails.
    try tool.write(String(repeating: #"{"payload":\#(sample)}"# + "\n", count: 200), to: "input.jsonl")
    let sealing = Strace(tool: tool, line: "\(seal) --out output.jsonl --errors errors.jsonl")
    let faults = ["inject=read:error=EIO:when=2", "inject=fsync:error=EDQUOT"]
    guard
      let run = try await sealing.run(
        faults[0], faults[1], at: tool.path("input.jsonl"), tool.path(name ?? "none"))
    else { return }
    #expect(run.status == 66)
    #expect(try numbers(try tool.contents("output.jsonl")) == Array(1...200))
    let error = "cannot read input.jsonl: Input/output error\n"
    let hint = "sealpush: hint: continue with --skip 200, into other files\n"
    let ending = name.map { "the disk did not confirm \($0)\nsealpush: error: \(error)" } ?? error + hint
    #expect(run.errors == "sealpush: error: \(ending)")
  }

  @Test("nor is it after a signal")
  func unconfirmedAfterASignal() async throws {
    guard try await Strace(tool: tool, line: "--version").run() != nil else { return }
    let feed = try Feed(tool, of: nil)
    let tracing = Strace.words(to: "\(tool.scratch)/calls") + ["-D", "-e", "inject=fsync:error=EDQUOT"]
    let words = "\(sealInput) --errors errors.jsonl".split(separator: " ").map(String.init)
    let child = try Child(tracing + [Tool.binary] + words, in: feed.surroundings)
    feed.write(#"{"payload":\#(sample)}"# + "\n")
    try await feed.waitForOutput()
    child.send(SIGTERM)
    #expect(try await child.wait() == .killed(by: SIGTERM))
    let errors = "sealpush: stopped after line 1\nsealpush: error: the disk did not confirm errors.jsonl\n"
    #expect(feed.errors == errors)
  }

  @Test("a name that the disk did not take is said")
  func unconfirmedName() async throws {
    let sealing = Strace(tool: tool, line: "\(seal) --out output.jsonl --errors errors.jsonl")
    guard let run = try await sealing.run("inject=fsync:error=EIO", at: tool.folder) else { return }
    #expect(run.status == 1)
    for name in ["output.jsonl", "errors.jsonl"] {
      #expect(run.errors.contains("sealpush: error: the disk did not confirm \(name)\n"))
    }
  }

  @Test("going on takes nothing away that is done", arguments: ["--out", "--errors"])
  func goingOn(option: String) async throws {
    try tool.write("mine", to: "mine")
    for words in ["--skip 5", "--skip 5 --force"] {
      let run = try await tool.refuse("\(seal) \(words) \(option) mine", 73, "mine exists")
      #expect(run.hint?.hasPrefix("with --skip no file is replaced: give another name") == true)
      #expect(try tool.contents("mine") == Array("mine".utf8))
    }
    #expect(try await tool.run("\(seal) --skip 0 --force \(option) mine").status == 65)
    #expect(try tool.contents("mine") != Array("mine".utf8))
    #expect(try await tool.run("\(seal) --skip 5 --force \(option) new").status == 65)
  }

  @Test(
    "no file is made or emptied if another one cannot be",
    arguments: [
      ("nowhere/errors", 73), ("device.jwks", 73), ("input.jsonl", 64), ("output.jsonl", 64),
    ])
  func both(errors: String, status: Int32) async throws {
    let names = try tool.names
    let words = "\(seal) --out output.jsonl --errors \(errors)"
    for line in [words, words + " --force"] {
      try await tool.refuse(line, status)
      #expect(try tool.names == names)
    }
    try tool.write("mine", to: "output.jsonl")
    try await tool.refuse(words + " --force", status)
    #expect(try tool.contents("output.jsonl") == Array("mine".utf8))
  }

  @Test("no file is emptied if another one may not be written")
  func notPermitted() async throws {
    guard try await Unprivileged.works(in: tool) else { return }
    for name in ["output.jsonl", "errors.jsonl"] { try tool.write("mine", to: name) }
    try tool.setMode(0o400, of: "errors.jsonl")
    let words = "\(seal) --out output.jsonl --errors errors.jsonl --force"
    let run = try await tool.execute(Unprivileged.words(words))
    run.expectRefusal(words, 73, "cannot create errors.jsonl")
    #expect(try tool.contents("output.jsonl") == Array("mine".utf8))
  }

  @Test("a reader is waited for, whatever another program made of the pipe")
  func slowReader() async throws {
    let reader = try SlowReader(tool)
    let child = try Child(
      [Tool.binary] + seal.split(separator: " ").map(String.init),
      in: reader.surroundings(try tool.surroundings()))
    try await reader.waitUntilFull(child)
    #expect(try numbers(try await reader.read(from: child)) == Array(stride(from: 2, through: 300, by: 2)))
    #expect(child.check() == .exited(65))
  }

  @Test("a signal ends it after the lines that are being written")
  func slowReaderAndASignal() async throws {
    let reader = try SlowReader(tool)
    let feed = try Feed(tool, of: #"{"payload":\#(sample)}"#)
    let child = try Child(
      [Tool.binary] + sealInput.split(separator: " ").map(String.init),
      in: reader.surroundings(feed.surroundings))
    try await reader.waitUntilFull(child)
    child.send(SIGTERM)
    let lines = try numbers(try await reader.read(from: child))
    #expect(child.check() == .killed(by: SIGTERM))
    #expect(lines == Array(1...lines.count))
    let hint = "continue with --skip \(lines.count)"
    #expect(feed.errors == "sealpush: stopped after line \(lines.count): \(hint)\n")
  }
}

/// A pipe that takes what there is room for and refuses the rest, until it is read.
private final class SlowReader {
  private let path: String
  private let pipe: Int32

  init(_ tool: Tool) throws {
    path = "\(tool.scratch)/slow"
    guard unsafe mkfifo(path, 0o600) == 0 else { throw SetupError(call: "mkfifo", errno: errno) }
    // Open at both ends, so that nobody waits for the other one.
    pipe = unsafe open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
  }

  deinit { close(pipe) }

  /// The same surroundings, but for the output.
  func surroundings(_ others: Child.Surroundings) -> Child.Surroundings {
    var surroundings = others
    (surroundings.output, surroundings.isOutputWaiting) = (path, false)
    return surroundings
  }

  /// Waits until there is no room, and a little longer.
  func waitUntilFull(_ child: Child) async throws {
    try await HangGuard.wait(for: "a full pipe") { !hasRoom || child.check() != nil }
    try await Task.sleep(for: .milliseconds(100))
  }

  /// Reads to the end of the process.
  func read(from child: Child) async throws -> [UInt8] {
    var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1 << 16))
    try await HangGuard.wait(for: "the end of the output") {
      let hasEnded = child.check() != nil
      while true {
        let count = unsafe Glibc.read(pipe, &piece, piece.count)
        guard count > 0 else { return hasEnded }
        bytes += piece.prefix(count)
      }
    }
    return bytes
  }

  private var hasRoom: Bool {
    var file = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&file, 1, 0) == 1
  }
}
