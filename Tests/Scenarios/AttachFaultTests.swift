import Foundation
import TestSupport
import Testing

@Suite("Attachments that are wrong", .serialized, .hangGuard)
struct AttachFaultTests {
  @Test func whatIsWrongWithTheCommand() async throws {
    let tool = try Photo.tool(size: 10)
    try tool.write(Photo.bytes(10), to: "photo.txt")
    let faults: [(line: String, message: String)] = [
      ("attach fly", "there is no command 'attach fly'"), ("attach seal --out blob", "FILE is missing"),
      ("attach seal photo.jpg", "--out BLOB is missing"),
      (
        "attach seal photo.jpg photo.jpg --out blob",
        "'photo.jpg' is not an option, and attach seal takes one FILE"
      ),
      ("attach seal FILE=photo.jpg FILE --out blob", "'FILE' is not an option"),
      ("attach seal photo.jpg --out -", "--out must be a file"),
      ("attach seal - --out blob", "FILE must be a file"),
      ("attach seal photo.txt --out blob", "is unknown: give --type MIME"),
      (
        "attach seal photo.jpg --out blob --type text/plain",
        "iOS does not show attachments of type 'text/plain'"
      ),
      ("attach seal photo.jpg --out blob --type application/octet-stream", "iOS does not show attachments"),
      ("attach seal photo.jpg --out blob --url http://example.com/", "--url must begin with https://"),
      ("attach seal photo.jpg --out blob --url https://127.0.0.1/", "not on the public internet"),
      ("attach seal photo.jpg --out blob --url https://a:b@example.com/", "--url has a user name"),
      ("attach seal photo.jpg --out photo.jpg --force", "--out and FILE are the same file"),
      ("attach open --descriptor d --out o", "BLOB is missing"),
      ("attach open photo.jpg --out o", "--descriptor FILE|- is missing"),
      ("attach open photo.jpg --descriptor d", "--out FILE is missing"),
      ("attach open photo.jpg --descriptor d --out -", "--out must be a file"),
      ("attach open photo.jpg --descriptor photo.txt --out photo.jpg --force", "--out and BLOB are the same"),
      ("attach open photo.jpg --descriptor photo.txt --out photo.txt --force", "--out and --descriptor are"),
    ]
    for (line, message) in faults { try await tool.refuse(line, 64, message) }
    #expect(try tool.names == ["photo.jpg", "photo.txt"])
  }

  @Test func aDescriptorThatIsLost() async throws {
    let tool = try Photo.tool(size: 10)
    let run = try await tool.shell("sealpush attach seal photo.jpg --out blob >/dev/full")
    #expect(run.status == 1 && run.error == "cannot write the output: No space left on device")
    #expect(run.hint == "blob cannot be opened without its descriptor: seal again, with --force")
    try await tool.succeed("attach seal photo.jpg --out blob --force")
  }

  @Test func blobsThatDoNotOpen() async throws {
    let tool = try Photo.tool()
    let sealed = try await tool.succeed("attach seal photo.jpg --out blob")
    let blob = try tool.contents("blob")
    var flipped = blob
    flipped[100_000] ^= 1
    let faults: [(bytes: [UInt8], message: String)] = [
      (flipped, "bad does not decrypt"),
      (Array(blob.dropLast()), "does not have the length in the descriptor"),
      (blob + [0], "does not have the length"), (Array(blob.prefix(21 + 65536)), "does not have the length"),
      ([], "does not have the length"),
      (Photo.bytes(blob.count), "bad is not a sealed blob"),
    ]
    for (bytes, message) in faults {
      try tool.write(bytes, to: "bad")
      try await tool.refuse(
        "attach open bad --descriptor - --out o", 65, message, input: .bytes(sealed.output))
    }
    let other = sealed.text.replacingOccurrences(of: #""sha256":""#, with: #""sha256":"AAAA"#)
      .replacingOccurrences(of: "\",\"size", with: "!\",\"size")
    try await tool.refuse(
      "attach open blob --descriptor - --out o", 65, "'sha256' is missing or wrong", input: .text(other))
    let descriptor = try sealed.json(Photo.Descriptor.self)
    let zeros = sealed.text.replacingOccurrences(
      of: descriptor.sha256, with: String(repeating: "A", count: 43))
    try await tool.refuse(
      "attach open blob --descriptor - --out o", 65, "does not have the SHA-256", input: .text(zeros))
    #expect(try tool.names == ["bad", "blob", "photo.jpg"])
  }

  @Test func descriptorsThatAreWrong() async throws {
    let pair = try await Pair()
    let tool = pair.tool
    try tool.write(Photo.bytes(10), to: "photo.jpg")
    let sealed = try await tool.succeed("attach seal photo.jpg --out blob --url \(Photo.address)")
    let good = sealed.text
    let key = try sealed.json(Photo.Descriptor.self).key
    let faults: [(text: String, message: String)] = [
      ("", "there is no descriptor in d.json"), ("\n \n", "there is no descriptor in d.json"),
      ("x", "d.json, line 1 is not strict JSON"), (good + "[]", "d.json, line 2 is not strict JSON"),
      (
        good.replacingOccurrences(of: #""url":"\#(Photo.address)","#, with: ""), "the descriptor has no 'url'"
      ),
      (
        good.replacingOccurrences(of: Photo.address, with: "http://example.com/"), "'url' is missing or wrong"
      ),
      (good.replacingOccurrences(of: key, with: key + "A"), "'key' is missing or wrong"),
      (String(repeating: good, count: 9), "at most 8 attachments"),
      (good.replacingOccurrences(of: #""size":48"#, with: #""size":50000000"#), "is too large"),
    ]
    for (text, message) in faults {
      try tool.write(text, to: "d.json")
      let run = try await tool.refuse("\(pair.seal) --in payload.json --attach d.json", 65, message)
      #expect(!run.errors.contains(key))
    }
    try await tool.refuse("\(pair.seal) --in payload.json --attach nowhere", 66, "cannot read nowhere")
    try await tool.refuse("\(pair.seal) --attach -", 64, "--attach and --in are both standard input")
    try tool.write(good, to: "d.json")
    try await tool.refuse(
      "\(pair.seal) --in payload.json --attach d.json --attach d.json", 64, "--attach is given twice")
    try await tool.refuse(
      "\(pair.seal) --in payload.json --push-type voip --attach d.json", 65, "cannot have attachments")
  }
}
