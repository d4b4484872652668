#if canImport(CryptoKit)
  internal import Foundation

  /// A block of a PEM text (RFC 7468).
  struct PEMBlock {
    /// What its first line says that it is.
    let name: String

    /// Whether it is under a password.
    let isEncrypted: Bool

    /// What it holds, in DER.
    let contents: SharedSecret

    /// Whether its first line says that it is a private key, in whatever form.
    var isPrivateKey: Bool { name.hasSuffix("PRIVATE KEY") }

    /// The blocks up to the first that is not whole, which other text can stand between.
    static func all(in text: Span<UInt8>) -> [PEMBlock] {
      let lines = Lines(text)
      var blocks: [PEMBlock] = []
      var position = 0
      while position < lines.count {
        let name = lines.name(position, "BEGIN")
        position += 1
        guard let name else { continue }
        guard let end = (position..<lines.count).first(where: { lines.name($0, "END") != nil }),
          lines.name(end, "END") == name, let block = PEMBlock(name, lines, position..<end)
        else { break }
        blocks.append(block)
        position = end + 1
      }
      return blocks
    }

    /// Reads the lines between the first and the last; null unless they are base64, after a header or
    /// without.
    private init?(_ name: String, _ lines: borrowing Lines, _ range: Range<Int>) {
      // RFC 1421, 4.4: a header ends with an empty line.
      let headerEnd = range.first { lines.isEmpty($0) }
      let header = range.lowerBound..<(headerEnd ?? range.lowerBound)
      var base64 = Data(capacity: lines.size(range))
      defer { base64.wipe() }
      for line in header.upperBound..<range.upperBound { lines.append(line, to: &base64) }
      guard !base64.isEmpty, var contents = Data(base64Encoded: base64) else { return nil }
      defer { contents.wipe() }
      self.name = name
      self.contents = SharedSecret(Secret(copyingContents: contents, count: contents.count))
      isEncrypted = name == "ENCRYPTED PRIVATE KEY" || header.contains { lines.contains($0, "ENCRYPTED") }
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
      var start = 0
      for index in text.indices where text[index] == UInt8(ascii: "\n") {
        ranges.append(start..<index)
        start = index + 1
      }
      ranges.append(start..<text.count)
      self.ranges = ranges
    }

    var count: Int { ranges.count }

    func size(_ lines: Range<Int>) -> Int { lines.reduce(0) { $0 + ranges[$1].count } }

    func isEmpty(_ line: Int) -> Bool { trimmed(line).isEmpty }

    func append(_ line: Int, to data: inout Data) { data.append(text.extracting(trimmed(line))) }

    /// What a line `-----BEGIN …-----` or `-----END …-----` names; null for another line.
    func name(_ line: Int, _ word: String) -> String? {
      let range = trimmed(line)
      let (start, end) = (Array("-----\(word) ".utf8), Array("-----".utf8))
      guard range.count > start.count + end.count,
        zip(range, start).allSatisfy({ text[$0] == $1 }),
        zip(range.suffix(end.count), end).allSatisfy({ text[$0] == $1 })
      else { return nil }
      return String(
        decoding: range.dropFirst(start.count).dropLast(end.count).map { text[$0] }, as: UTF8.self)
    }

    func contains(_ line: Int, _ word: String) -> Bool {
      String(decoding: ranges[line].map { text[$0] }, as: UTF8.self).contains(word)
    }

    /// Without white space at its end.
    private func trimmed(_ line: Int) -> Range<Int> {
      let range = ranges[line]
      let end = range.last { text[$0] > UInt8(ascii: " ") }
      return range.lowerBound..<(end.map { $0 + 1 } ?? range.lowerBound)
    }
  }

  extension Data {
    /// Adds `bytes`; there was room for them.
    fileprivate mutating func append(_ bytes: Span<UInt8>) {
      for index in bytes.indices { append(bytes[index]) }
    }

    /// Overwrites what it holds, as far as no other copy shares that.
    mutating func wipe() {
      unsafe withUnsafeMutableBytes { unsafe Wiping.wipe($0) }
    }
  }
#endif
