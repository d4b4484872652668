/// A proxy's answer, read as its bytes arrive: the status line and the headers, and no byte of what follows.
struct TunnelAnswer {
  /// The most bytes of the status line and the headers.
  static let maximumSize = 8 << 10

  private var head: [UInt8] = []

  /// The status, once the answer is whole.
  private(set) var status: Int?

  /// Reads the bytes that follow, and returns how many of them belong to the answer; the others are the server's.
  ///
  /// What is wrong is noticed with the byte that is wrong, so that nobody waits for the rest of what is no answer.
  mutating func read(_ bytes: [UInt8]) throws(TunnelError.Fault) -> Int {
    var count = 0
    for byte in bytes where status == nil {
      guard head.count < Self.maximumSize else { throw .tooLarge }
      head.append(byte)
      count += 1
      let isBegun = head.prefix(Self.version.count).elementsEqual(Self.version.prefix(head.count))
      let endsLine = head.dropLast().last == Self.carriageReturn
      guard isBegun, endsLine == (byte == Self.lineFeed), Self.maySay(byte) else { throw .malformed }
      if head.suffix(4).elementsEqual([13, 10, 13, 10]) { status = try Self.status(in: head) }
    }
    return count
  }

  private static let version = Array("HTTP/1.".utf8)
  private static let (carriageReturn, lineFeed) = (UInt8(13), UInt8(10))

  /// Whether a head may have a byte: no control character but those of white space.
  private static func maySay(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7f || [9, carriageReturn, lineFeed].contains(byte)
  }

  private static func status(in head: [UInt8]) throws(TunnelError.Fault) -> Int {
    let lines = head.split(separator: lineFeed).map { $0.dropLast() }
    guard let status = status(inLine: Array(lines[0])), lines.dropFirst().dropLast().allSatisfy(isField)
    else { throw .malformed }
    return status
  }

  /// The status of a line such as `HTTP/1.1 200 Connection established` (RFC 9112, 4).
  private static func status(inLine line: [UInt8]) -> Int? {
    guard line.count >= 12, line[7] == UInt8(ascii: "0") || line[7] == UInt8(ascii: "1"),
      line[8] == UInt8(ascii: " "), line.count == 12 || line[12] == UInt8(ascii: " "),
      line[9..<12].allSatisfy({ (0x30...0x39).contains($0) }), line[9] != UInt8(ascii: "0")
    else { return nil }
    return line[9..<12].reduce(0) { 10 * $0 + Int($1 - 0x30) }
  }

  /// Whether a line is a field: a token, a colon and a value (RFC 9112, 5).
  private static func isField(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else { return false }
    return line[..<colon].allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
    }
  }
}
