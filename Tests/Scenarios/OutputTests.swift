import Glibc
import Testing

@Suite("Files that are written", .serialized)
struct OutputTests {
  @Test func nothingIsReplacedUnlessForced() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    try tool.write(try await pair.sealed(), to: "sealed.json")
    let lines = [
      "\(pair.seal) --in payload.json --out mine", "\(pair.seal) --in payload.json --headers mine",
      "\(pair.open) --in sealed.json --now \(start) --out mine", "keys export --keys device.jwks --out mine",
    ]
    for line in lines {
      try tool.write("mine", to: "mine")
      let run = try await tool.refuse(line, 73, "mine exists")
      #expect(run.hint == "--force replaces it")
      #expect(try tool.contents("mine") == Array("mine".utf8))
      try await tool.succeed("\(line) --force")
      #expect(try tool.contents("mine") != Array("mine".utf8))
    }
  }

  @Test func nothingIsRotatedWhoseResultHasNoPlace() async throws {
    let pair = try await Pair()
    let before = try pair.tool.contents("device.jwks")
    try pair.tool.write("mine", to: "mine")
    try await pair.tool.refuse("keys rotate --keys device.jwks --out mine", 73, "mine exists")
    #expect(try pair.tool.contents("device.jwks") == before)
    try await pair.tool.succeed("keys rotate --keys device.jwks --out mine --force")
    #expect(try pair.tool.contents("device.jwks") != before)
  }

  @Test func keysAreNeverReplacedByNewOnes() async throws {
    let pair = try await Pair()
    let before = try pair.tool.contents("device.jwks")
    try await pair.tool.refuse("keys new --role device --out device.jwks", 73, "device.jwks exists")
    try await pair.tool.refuse("keys new --role device --out device.jwks --force", 64)
    #expect(try pair.tool.contents("device.jwks") == before)
  }

  @Test func newKeysAreNotPrintedAndNoFileIsNamedSo() async throws {
    let tool = try Tool()
    for role in ["device", "sender", "shared"] {
      try await tool.refuse("keys new --role \(role) --out -", 64, "private keys are not printed")
    }
    #expect(try tool.names.isEmpty)
  }

  @Test func foldersThatAreNotThere() async throws {
    let pair = try await Pair()
    for line in [
      "keys new --role device", "keys export --keys device.jwks", "\(pair.seal) --in payload.json",
    ] {
      try await pair.tool.refuse("\(line) --out nowhere/file", 73, "cannot create nowhere/file")
    }
    try await pair.tool.refuse("\(pair.seal) --in payload.json --headers nowhere/file", 73, "cannot create")
  }

  @Test func foldersThatMayNotBeWritten() async throws {
    let pair = try await Pair()
    guard try await Unprivileged.works(in: pair.tool) else { return }
    try pair.tool.setMode(0o500, of: ".")
    for line in ["keys export --keys device.jwks", "\(pair.seal) --in payload.json"] {
      let run = try await pair.tool.execute(Unprivileged.words("\(line) --out file"))
      run.expectRefusal(line, 73, "cannot create file")
    }
    let new = try await pair.tool.execute(Unprivileged.words("keys new --role device --out file"))
    new.expectRefusal("keys new", 73, "not permitted")
  }

  @Test func devicesAreNotReplacedByFiles() async throws {
    let pair = try await Pair()
    try #require(unsafe mkfifo(pair.tool.path("pipe"), 0o600) == 0)
    let line = "\(pair.seal) --in payload.json --out pipe"
    try await pair.tool.refuse(line, 73, "pipe exists")
    try await pair.tool.refuse("\(line) --force", 73, "pipe is not a regular file")
    var status = stat()
    #expect(unsafe lstat(pair.tool.path("pipe"), &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
  }

  @Test func whatWasOpenedIsItsOwnersAlone() async throws {
    let pair = try await Pair()
    let sealed = try await pair.sealed()
    try await pair.tool.succeed("\(pair.open) --now \(start) --out opened.json", input: .bytes(sealed))
    #expect(try pair.tool.mode(of: "opened.json") == 0o600)
  }

  @Test func aDiskThatIsFull() async throws {
    // A file may not grow past a limit, as on a disk that is full: no part of it stays, and what was there does.
    let pair = try await Pair()
    try pair.tool.write("mine", to: "sealed.json")
    let names = try pair.tool.names
    let run = try await pair.tool.shell(
      "ulimit -f 1; sealpush \(pair.seal) --padding maximum --in payload.json --out sealed.json --force")
    run.expectRefusal("no room", 73, "cannot write sealed.json")
    #expect(try pair.tool.contents("sealed.json") == Array("mine".utf8))
    #expect(try pair.tool.names == names)
  }

  @Test func readersThatLeave() async throws {
    let pair = try await Pair()
    let commands = [
      "\(pair.seal) --padding maximum --in payload.json", "keys list --keys device.jwks", "demo", "--help",
      "inspect --capacity", "keys export --keys device.jwks", "keys rotate --keys device.jwks",
    ]
    for command in commands {
      let run = try await pair.tool.shell("{ sealpush \(command); echo $? >status; } | head -c 1")
      let status = String(decoding: try pair.tool.contents("status"), as: UTF8.self)
      #expect(run.output.count == 1 && ["0\n", "1\n"].contains(status), "\(command): \(status)")
      #expect(!run.errors.contains("error"), "\(command): \(run.errors)")
      // A pipe whose reader is gone: the one that opening for both made, closed again.
      let gone = try await pair.tool.shell(
        "mkfifo pipe; exec 3<>pipe 4>pipe 3>&-; rm pipe; sealpush \(command) >&4; echo $? >status")
      #expect(try pair.tool.contents("status") == Array("1\n".utf8), "\(command)")
      #expect(!gone.errors.contains("error"), "\(command): \(gone.errors)")
    }
  }

  @Test func aClosedOutput() async throws {
    let pair = try await Pair()
    let run = try await pair.tool.shell("sealpush \(pair.seal) --in payload.json >&-")
    run.expectRefusal("closed", 1, "cannot write the output")
    // The keys are rotated all the same, and the operator hears of it.
    let rotation = try await pair.tool.shell("sealpush keys rotate --keys device.jwks >/dev/full")
    #expect(rotation.status == 1)
    #expect(rotation.errors.hasPrefix("sealpush: rotated device.jwks; "))
    #expect(rotation.errors.contains("sealpush: error: cannot write the output"))
    #expect(try await pair.tool.keys("device.jwks").count == 2)
  }
}
