import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Attachments", .serialized, .hangGuard)
struct AttachTests {
  @Test func aPhotoThereAndBack() async throws {
    let tool = try Photo.tool()
    let run = try await tool.succeed("attach seal photo.jpg --out blob --url \(Photo.address)")
    #expect(run.lines.count == 1 && run.output.last == UInt8(ascii: "\n") && run.errors.isEmpty)
    let descriptor = try run.json(Photo.Descriptor.self)
    #expect(descriptor.url == Photo.address && descriptor.type == "image/jpeg")
    let blob = try tool.contents("blob")
    #expect(blob.count == descriptor.size && descriptor.size == 140_000 + 21 + 3 * 17)
    #expect(descriptor.key.utf8.count == 22 && descriptor.sha256.utf8.count == 43)
    #expect(try tool.mode(of: "blob") == 0o600)

    try await tool.succeed("attach open blob --descriptor - --out opened.jpg", input: .bytes(run.output))
    try tool.write(run.output, to: "descriptor.json")
    try await tool.succeed("attach open --out again.jpg --descriptor descriptor.json blob")
    for name in ["opened.jpg", "again.jpg"] {
      #expect(try tool.contents(name) == Photo.bytes(140_000))
      #expect(try tool.mode(of: name) == 0o600)
    }
    #expect(try tool.names == ["again.jpg", "blob", "descriptor.json", "opened.jpg", "photo.jpg"])
  }

  @Test func anAddressMayComeLater() async throws {
    let tool = try Photo.tool(size: 0)
    let run = try await tool.succeed("attach seal photo.jpg --type audio/mpeg --out=blob")
    let descriptor = try run.json(Photo.Descriptor.self)
    #expect(descriptor.url == nil && descriptor.type == "audio/mpeg" && descriptor.size == 38)
    try await tool.succeed("attach open blob --descriptor - --out opened", input: .bytes(run.output))
    #expect(try tool.contents("opened").isEmpty)
  }

  @Test func theKeyIsSealedWithTheNotification() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    try tool.write(Photo.bytes(100), to: "photo.png")
    let one = try await tool.succeed("attach seal photo.png --out one --url \(Photo.address)")
    let two = try await tool.succeed("attach seal photo.png --out two --url \(Photo.address)/2?a=b")
    let (first, second) = (try one.json(Photo.Descriptor.self), try two.json(Photo.Descriptor.self))
    #expect(first.key != second.key)
    try tool.write("\n" + one.text + "\n" + two.text, to: "descriptors.jsonl")
    let sealed = try await pair.sealed(at: start, "--attach descriptors.jsonl")
    for text in [Photo.address, first.key, second.key, first.sha256, "sealed-push", "image/png"] {
      #expect(!String(decoding: sealed, as: UTF8.self).contains(text))
    }
    let opened = try await tool.succeed("\(pair.open) --now \(start)", input: .bytes(sealed))
    let member = #""sealed-push":{"v":1,"attachments":["#
    let lines = one.text.dropLast() + "," + two.text.dropLast()
    #expect(opened.text.contains(member + lines + "]}"), "\(opened.text)")
  }

  @Test func aDescriptorOnSeveralLines() async throws {
    let pair = try await Pair()
    try pair.tool.write(Photo.bytes(100), to: "photo.png")
    let run = try await pair.tool.succeed("attach seal photo.png --out blob --url \(Photo.address)")
    let pretty = run.text.replacingOccurrences(of: ",", with: ",\n  ")
    _ = try await pair.tool.succeed(
      "\(pair.seal) --in payload.json --attach -", input: .text(pretty))
  }

  @Test func filesThatAreTooLarge() async throws {
    let tool = try Tool()
    for (name, limit) in [("a.png", 10_000_000), ("a.mp3", 5_000_000), ("a.mp4", 50_000_000)] {
      #expect(try await tool.shell("truncate -s \(limit + 1) \(name)").status == 0)
      try await tool.refuse("attach seal \(name) --out blob", 65, "iOS shows at most \(limit) bytes")
    }
    #expect(try await tool.shell("truncate -s 5000000 a.mp3").status == 0)
    let run = try await tool.succeed("attach seal a.mp3 --out blob")
    try await tool.succeed("attach open blob --descriptor - --out b.mp3", input: .bytes(run.output))
    #expect(try await tool.shell("cmp a.mp3 b.mp3").status == 0)
  }

  @Test func filesThatAreNotThereOrMayNotBeMade() async throws {
    let tool = try Photo.tool(size: 10)
    try #require(unsafe mkfifo(tool.path("pipe.jpg"), 0o600) == 0)
    try tool.write("mine", to: "mine")
    try await tool.refuse("attach seal nowhere.jpg --out blob", 66, "there is no nowhere.jpg")
    try await tool.refuse("attach seal pipe.jpg --out blob", 66, "pipe.jpg is not a regular file")
    try await tool.refuse("attach seal photo.jpg --out nowhere/blob", 73, "its folder does not exist")
    let run = try await tool.refuse("attach seal photo.jpg --out mine", 73, "mine exists")
    #expect(run.hint == "--force replaces it")
    try await tool.refuse(
      "attach seal photo.jpg --out pipe.jpg --force", 73, "pipe.jpg is not a regular file")
    #expect(try tool.contents("mine") == Array("mine".utf8))

    let sealed = try await tool.succeed("attach seal photo.jpg --out mine --force")
    try tool.write(sealed.output, to: "d.json")
    try await tool.refuse("attach open nowhere --descriptor d.json --out o", 66, "there is no nowhere")
    try await tool.refuse("attach open mine --descriptor nowhere --out o", 66, "cannot read nowhere")
    try await tool.refuse("attach open mine --descriptor d.json --out photo.jpg", 73, "photo.jpg exists")
    try await tool.refuse("attach open mine --descriptor d.json --out nowhere/o", 73, "its folder")
    #expect(try tool.names == ["d.json", "mine", "photo.jpg", "pipe.jpg"])
  }

  @Test func theDescriptorInAFile() async throws {
    let tool = try Photo.tool()
    let seal = "attach seal photo.jpg --out blob --descriptor d.json --url \(Photo.address)"
    let run = try await tool.succeed(seal)
    #expect(run.output.isEmpty && run.errors.isEmpty)
    #expect(try tool.mode(of: "d.json") == 0o600)
    try await tool.succeed("attach open blob --descriptor d.json --out opened.jpg")
    let before = try tool.contents("d.json")
    // The same command again must not cost the only key of the blob, nor one for another blob.
    for line in [seal, seal.replacingOccurrences(of: "--out blob", with: "--out other")] {
      try await tool.refuse(line, 73, "exists")
      #expect(try tool.contents("d.json") == before)
    }
    #expect(try tool.names == ["blob", "d.json", "opened.jpg", "photo.jpg"])
    try await tool.succeed("\(seal) --force")
    #expect(try tool.contents("d.json") != before)
    try await tool.succeed("attach open blob --descriptor d.json --out again.jpg")
    try await tool.refuse("attach seal photo.jpg --out x --descriptor x", 64, "are the same")
    try await tool.refuse("attach seal photo.jpg --out x --descriptor photo.jpg --force", 64, "the same file")
  }

  @Test func aDescriptorThatCannotBeWritten() async throws {
    let tool = try Photo.tool()
    let run = try await tool.refuse("attach seal photo.jpg --out blob --descriptor nowhere/d.json", 73)
    #expect(run.errors.contains("nowhere/d.json"))
    #expect(try tool.names == ["photo.jpg"])
  }

  @Test func aDiskThatIsFull() async throws {
    let tool = try Photo.tool()
    let run = try await tool.shell("ulimit -f 100; sealpush attach seal photo.jpg --out blob")
    run.expectRefusal("no room", 73, "cannot write blob")
    #expect(try tool.names == ["photo.jpg"])
  }
}
