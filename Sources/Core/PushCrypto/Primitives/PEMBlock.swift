/// A block of a PEM text (RFC 7468).
struct PEMBlock {
  /// The label in its first line.
  let name: String

  /// Whether the contents are encrypted with a password.
  let isEncrypted: Bool

  /// The decoded contents, in DER.
  let contents: SharedSecret

  /// Whether the label names a private key, in any format.
  var isPrivateKey: Bool { name.hasSuffix("PRIVATE KEY") }

  /// Returns all blocks up to the first incomplete one.
  ///
  /// There may be other text between blocks.
  static func all(in text: Span<UInt8>) -> [PEMBlock] {
    let lines = Lines(text)
    var blocks: [PEMBlock] = []
    var position = 0
    while position < lines.count {
      let name = lines.name(at: position, after: "BEGIN")
      position += 1
      guard let name else { continue }
      guard let end = (position..<lines.count).first(where: { lines.name(at: $0, after: "END") != nil }),
        lines.name(at: end, after: "END") == name,
        let block = PEMBlock(name: name, lines: lines, range: position..<end)
      else { break }
      blocks.append(block)
      position = end + 1
    }
    return blocks
  }

  /// Reads the lines between a block's first and last line.
  ///
  /// Returns `nil` unless these lines are Base64, with or without a header.
  private init?(name: String, lines: borrowing Lines, range: Range<Int>) {
    // RFC 1421, 4.4: a header ends with an empty line.
    let headerEnd = range.first { lines.isEmpty($0) }
    let header = range.lowerBound..<(headerEnd ?? range.lowerBound)
    guard header.allSatisfy({ lines.line($0, contains: ":") }) else { return nil }
    guard let contents = Self.contents(of: lines, range: header.upperBound..<range.upperBound) else {
      return nil
    }
    self.name = name
    self.contents = contents
    isEncrypted = name == "ENCRYPTED PRIVATE KEY" || header.contains { lines.line($0, contains: "ENCRYPTED") }
  }

  /// Decodes the lines from Base64.
  ///
  /// Returns `nil` if they are invalid or empty.
  private static func contents(of lines: borrowing Lines, range: Range<Int>) -> SharedSecret? {
    let base64 = Secret(count: lines.size(of: range)) { bytes in
      var place = 0
      for line in range { lines.copy(line, to: &bytes, at: &place) }
    }
    let text = base64.exposedBytes
    let padding = text.indices.reversed().prefix { text[$0] == UInt8(ascii: "=") }.count
    let size = text.count / 4 * 3 - padding
    guard size > 0 else { return nil }
    var isRead = false
    let contents = Secret(count: size) { isRead = Backend.Base64.decode(text, into: &$0) }
    return isRead ? SharedSecret(contents) : nil
  }
}

/// The lines of a text, by number.
private struct Lines: ~Escapable {
  private let text: Span<UInt8>
  private let ranges: [Range<Int>]

  @_lifetime(copy text)
  init(_ text: Span<UInt8>) {
    self.text = text
    var ranges: [Range<Int>] = []
    // Some editors write a byte order mark at the start.
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    var start = text.count >= mark.count && mark.indices.allSatisfy { text[$0] == mark[$0] } ? mark.count : 0
    // RFC 7468, 3: a line ends with CRLF, LF or CR.
    let (feed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))
    for index in start..<text.count
    where text[index] == feed
      || text[index] == carriageReturn && !(index + 1 < text.count && text[index + 1] == feed)
    {
      ranges.append(start..<index)
      start = index + 1
    }
    ranges.append(start..<text.count)
    self.ranges = ranges
  }

  var count: Int { ranges.count }

  func size(of lines: Range<Int>) -> Int { lines.reduce(0) { $0 + trimmed($1).count } }

  func isEmpty(_ line: Int) -> Bool { trimmed(line).isEmpty }

  /// Writes a line at `place`, and moves `place` to its end.
  func copy(_ line: Int, to bytes: inout MutableSpan<UInt8>, at place: inout Int) {
    for index in trimmed(line) {
      bytes[place] = text[index]
      place += 1
    }
  }

  /// Returns the label of a line `-----BEGIN …-----` or `-----END …-----`, or `nil` for any other line.
  func name(at line: Int, after word: String) -> String? {
    let range = trimmed(line)
    let (start, end) = (Array("-----\(word) ".utf8), Array("-----".utf8))
    guard range.count > start.count + end.count,
      zip(range, start).allSatisfy({ text[$0] == $1 }),
      zip(range.suffix(end.count), end).allSatisfy({ text[$0] == $1 })
    else { return nil }
    return String(
      decoding: range.dropFirst(start.count).dropLast(end.count).map { text[$0] }, as: UTF8.self)
  }

  /// Whether a line contains a word.
  ///
  /// The line is not copied, because it may hold part of a key.
  func line(_ line: Int, contains word: String) -> Bool {
    let (range, word) = (ranges[line], Array(word.utf8))
    return range.dropLast(word.count - 1).contains { place in
      word.indices.allSatisfy { text[place + $0] == word[$0] }
    }
  }

  /// Returns a line's range without surrounding white space.
  private func trimmed(_ line: Int) -> Range<Int> {
    let range = ranges[line]
    guard let start = range.first(where: { text[$0] > UInt8(ascii: " ") }),
      let last = range.last(where: { text[$0] > UInt8(ascii: " ") })
    else { return range.lowerBound..<range.lowerBound }
    return start..<last + 1
  }
}
