import PushCore
import PushKeys
import PushReceiver
import PushSealer

@testable import PushCommands

extension Harness {
  /// The lines of `seal --lines`, in pieces of any length: each is sealed and opens, or has an error.
  static let lines = Harness(name: "lines") { bytes in
    guard let first = bytes.first else { return }
    var splitter = LineSplitter(maximumSize: 2048)
    var lines: [LineSplitter.Line] = []
    for start in stride(from: 1, to: bytes.count, by: 1 + Int(first)) {
      splitter.append(bytes[start..<min(bytes.count, start + 1 + Int(first))])
      while let line = splitter.next() { lines.append(line) }
    }
    if let line = splitter.end() { lines.append(line) }
    try check(lines, of: bytes.dropFirst())
    let chunk = lines.prefix(64).enumerated().map { InputLine(number: $0 + 1, line: $1, position: 0) }
    try check(lineSealer.seal(chunk), of: chunk)
  }

  /// The file of recipients: it is read, or one of its lines is wrong.
  static let recipients = Harness(name: "recipients") { bytes in
    let temporary = try TemporaryFile()
    try temporary.fill(bytes)
    let path = temporary.path
    switch Result(catching: { () throws(RecipientFileError) in try RecipientFile(path: path) }) {
    case .success(let file):
      for device in file.devices {
        let name = device.registration ?? device.address.token.text
        try require(file.device(named: name) == device, "a device is found by its name")
        _ = try? device.keys?.recipient(at: Keys.now)
      }
    case .failure(let error):
      guard case .line(let number, _, _) = error else { throw BrokenProperty(text: "the file can be read") }
      let count = bytes.count { $0 == UInt8(ascii: "\n") } + 1
      try require((1...count).contains(number), "the fault is in the file")
    }
  }

  /// A sealer for lines; lines that name no recipient are sealed to the shared key.
  private static let lineSealer = LineSealer(
    sealer: Sealer(
      topic: Keys.topic, signer: nil, policy: SealingPolicy(padding: .none), random: Keys.randomness("lines")),
    attachments: [], recipients: nil,
    recipient: Keys.recipients[Suite.available.firstIndex(of: .sharedChaChaPoly)!], service: .apns,
    suite: nil,
    lifetime: .maximum, headers: HeaderOptions(), isStrict: false, time: Keys.now)

  private static func check(_ lines: [LineSplitter.Line], of bytes: ArraySlice<UInt8>) throws {
    var expected = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if expected.last?.isEmpty == true { expected.removeLast() }
    try require(
      lines == expected.map { $0.count > 2048 ? .tooLong : .whole(Array($0)) }, "lines are cut at line feeds")
  }

  private static func check(_ sealed: [SealedLine], of chunk: [InputLine]) throws {
    try require(
      sealed.map(\.input.number) == chunk.map(\.number), "each line is sealed, or has an error, in order")
    for line in sealed {
      let text = line.answer.encoded()
      let object = try JSONObject(parsing: text.span)
      try require(object["line"]?.number?.integer == Int64(line.input.number), "an answer names its line")
      guard line.answer.error == nil else { continue }
      if case .success(.several) = line.answer.result { continue }
      try check(output: Array(text.dropLast()), of: chunk)
    }
  }

  /// Checks that a line of output has a payload with the content of its line of input.
  private static func check(output line: [UInt8], of chunk: [InputLine]) throws {
    let object = try JSONObject(parsing: line.span)
    guard let number = object["line"]?.number?.integer, let payload = object["payload"]?.object,
      case .whole(let text) = chunk[Int(number) - 1].line
    else { throw BrokenProperty(text: "a line of output names its line") }
    try require(payload.encoded().count <= PayloadLimit.notification.bytes, "APNs takes the payload")
    let input = try SealLine(parsing: SealLine.object(parsing: text))
    guard input.target == nil else { return }
    let push = IncomingPush(payload: payload)
    // The line may have another message ID, but never another content.
    let message = try KnownMessage.receiver(anonymous: true).open(push)
    try require(message.json == input.payload.encoded(), "what was sealed opens")
  }
}
