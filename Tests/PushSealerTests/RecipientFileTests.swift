import Foundation
import PushCore
import PushKeys
import PushSealer
import TestSupport
import Testing

@Suite("A file of enrolments")
struct RecipientFileTests {
  private let devices = [Device(.x25519ChaChaPoly), Device(.p256AESGCM)]
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func line(_ device: Device, token: String, _ change: (inout JSONObject) -> Void = { _ in }) throws
    -> String
  {
    let keys = try device.keys.publicKeys.encoded()
    var object: JSONObject = [
      "v": 1, "topic": "com.example.app", "environment": "sandbox", "token": .string(token),
      "keys": .object(try JSONObject(parsing: keys.span)),
    ]
    change(&object)
    return text(object.encoded())
  }

  private func load(_ contents: String) throws -> RecipientFile {
    try RecipientFile(path: folder.write(contents, to: "devices.jsonl"))
  }

  private func expect(
    _ fault: RecipientFileError.Fault, _ contents: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let good = try line(devices[0], token: "aa")
    #expect(
      throws: RecipientFileError.line(2, fault, path: folder.path(of: "devices.jsonl")),
      sourceLocation: sourceLocation
    ) {
      try load("\(good)\n\(contents)\n")
    }
  }

  @Test("a device is found by its token, a key's kid and a key id, with or without a last line feed")
  func found() throws {
    let lines = [try line(devices[0], token: "AB12"), try line(devices[1], token: "cd34")]
    for end in ["\n", ""] {
      let file = try load(lines.joined(separator: "\n") + end)
      #expect(file.devices.count == 2)
      for (device, token) in zip(devices, ["ab12", "cd34"]) {
        let thumbprint = try device.recipient.thumbprint
        for name in [token, token.uppercased(), thumbprint.text, thumbprint.keyID.text] {
          let found = try #require(file.device(named: name))
          #expect(try found.address.token.text == token && found.keys == device.keys.publicKeys)
          #expect(found.address.topic == Device.topic && found.address.apns?.environment == .sandbox)
          #expect(file.recipients(for: .registration(name)) == [found])
        }
      }
    }
  }

  @Test("a person's devices, in the order of the file")
  func persons() throws {
    let third = Device(.x25519ChaChaPoly)
    let lines = try [("ab", "ada", devices[0]), ("cd", "\u{e9}", devices[1]), ("ef", "ada", third)].map {
      token, person, device in
      try line(device, token: token) { $0["person"] = .string(person) }
    }
    let file = try load(lines.joined(separator: "\n"))
    #expect(file.recipients(for: .person("ada")).map(\.address.token.text) == ["ab", "ef"])
    #expect(file.devices(of: "\u{e9}").map(\.person) == ["\u{e9}"])
    for name in ["e\u{301}", "Ada", "ab", ""] { #expect(file.devices(of: name).isEmpty) }
  }

  @Test("what is not there is not found")
  func notFound() throws {
    let file = try load(try line(devices[0], token: "ab12") + "\n")
    let thumbprint = try devices[0].recipient.thumbprint
    // A kid that only begins as the key's does.
    let close = thumbprint.bytes.prefix(31) + [thumbprint.bytes[31] ^ 1]
    let kids = [Base64URL.encode(close.span), try devices[1].recipient.thumbprint.text]
    for name in ["", "ab", "ab1", "ab1234", "é"] + kids {
      #expect(file.device(named: name) == nil, "\(name)")
      #expect(file.recipients(for: .registration(name)).isEmpty)
    }
    #expect(try load("").devices.isEmpty)
  }

  @Test("a line's faults are named, with its number")
  func faults() throws {
    let other = devices[1]
    try expect(.json(JSONError(.unexpectedEnd, at: 1), column: 2), "{")
    try expect(.json(JSONError(.unexpectedEnd, at: 0), column: 1), "")
    try expect(.json(JSONError(.notAnObject, at: 0), column: 1), "[]")
    try expect(.json(JSONError(.unexpectedByte, at: 8), column: 7), #"{"éé":}"#)
    for person in ["", 1, "a\n", .string(String(repeating: "a", count: 256))] as [JSONValue] {
      try expect(.invalidMember("person"), try line(other, token: "bb") { $0["person"] = person })
    }
    try expect(.tooLong, String(repeating: " ", count: RecipientFile.maximumLineSize + 1))
    try expect(.unsupportedVersion, try line(other, token: "bb") { $0["v"] = 2 })
    for name in ["v", "topic", "environment", "token", "keys"] {
      try expect(.invalidMember(name), try line(other, token: "bb") { $0[name] = nil })
    }
    try expect(.invalidMember("topic"), try line(other, token: "bb") { $0["topic"] = "a b" })
    let unknown = try line(other, token: "bb") { $0["environment"] = "development" }
    try expect(.invalidMember("environment"), unknown)
    for token in ["", "b", "bg", String(repeating: "ab", count: 257)] {
      try expect(.invalidMember("token"), try line(other, token: token))
    }
    try expect(.unknownMember("persona"), try line(other, token: "bb") { $0["persona"] = 1 })
    try expect(.unknownMember("…"), try line(other, token: "bb") { $0["a-name-of-21-characters"] = 1 })
    try expect(.keys(.notAKeySet), try line(other, token: "bb") { $0["keys"] = [:] })
    let sender = try KeySet(generating: .sender, at: Device.now).publicKeys.encoded()
    let senders = try JSONObject(parsing: sender.span)
    try expect(.keys(.wrongRole), try line(other, token: "bb") { $0["keys"] = .object(senders) })
    try expect(.duplicateToken(firstLine: 1), try line(other, token: "AA"))
    try expect(.duplicateKey(firstLine: 1), try line(devices[0], token: "bb"))
  }

  @Test("the longest line is good")
  func longestLine() throws {
    let text = try line(devices[0], token: "aa")
    let padding = String(repeating: " ", count: RecipientFile.maximumLineSize - text.utf8.count)
    #expect(try load("\(text)\(padding)\n").devices.count == 1)
    let error = RecipientFileError.line(1, .tooLong, path: folder.path(of: "devices.jsonl"))
    #expect(throws: error) { try load("\(text)\(padding) \n") }
    #expect(throws: error) { try load("\(text)\(padding) ") }
  }

  @Test("a file that cannot be read")
  func unreadable() {
    for (path, errno) in [("/nowhere/file", ENOENT), ("/", EISDIR)] {
      #expect(throws: RecipientFileError.unreadable(errno: errno, path: path)) {
        try RecipientFile(path: path)
      }
    }
  }

  @Test("lines are the same however the bytes are cut", arguments: [1, 2, 3, 7, 64])
  func pieces(size: Int) {
    let input = Array("a\n\nbcdefgh\nlonger than eight\n12345678\nlast of all".utf8)
    var splitter = LineSplitter(maximumSize: 8)
    var lines: [LineSplitter.Line] = []
    for start in stride(from: 0, to: input.count, by: size) {
      splitter.append(input[start..<min(start + size, input.count)])
      while let line = splitter.next() { lines.append(line) }
    }
    if let line = splitter.end() { lines.append(line) }
    let whole = { (text: String) in LineSplitter.Line.whole(Array(text.utf8)) }
    #expect(lines == [whole("a"), whole(""), whole("bcdefgh"), .tooLong, whole("12345678"), .tooLong])
    #expect(splitter.end() == nil)
  }

  #if canImport(Glibc)
    @Test("a line without an end takes no memory")
    func endless() async {
      await #expect(processExitsWith: .success) {
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1 << 16)
        var splitter = LineSplitter(maximumSize: 1 << 16)
        let growth = Heap.growth(repeating: 100) { _ in
          splitter.append(piece)
          _ = splitter.next()
        }
        try #require(growth < 1 << 20)
        try #require(splitter.end() == .tooLong)
      }
    }
  #endif
}
