#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A page of the manual in the lines of a narrow terminal: no word is parted, and what is in columns stays so.
enum FittedText {
  /// The page for a terminal that a descriptor leads to; as it is for a file or a pipe.
  static func text(of page: String, on descriptor: Int32) -> String {
    columns(of: descriptor).map { text(of: page, columns: $0) } ?? page
  }

  /// The page with lines of so many columns at the most, as far as its words are not longer.
  static func text(of page: String, columns: Int) -> String {
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard columns >= 40, lines.contains(where: { $0.count > columns }) else { return page }
    var fitted: [String] = []
    var paragraph: [String] = []
    for line in lines {
      if isProse(line) {
        paragraph.append(line)
        continue
      }
      fitted += folded(paragraph, columns: columns, hanging: 0)
      paragraph = []
      let isLong = line.count > columns && !isCommand(line)
      fitted += isLong ? folded([line], columns: columns, hanging: indent(of: line)) : [line]
    }
    return (fitted + folded(paragraph, columns: columns, hanging: 0)).joined(separator: "\n")
  }

  private static func isProse(_ line: String) -> Bool { !line.isEmpty && !line.hasPrefix(" ") }

  /// Whether it has a command, which is to be copied as it is.
  private static func isCommand(_ line: String) -> Bool {
    line.hasPrefix("    ") || line.dropFirst(indent(of: line)).hasPrefix("sealpush")
  }

  /// Where the last column of a line begins, after the spaces that part it from the one before.
  private static func indent(of line: String) -> Int {
    let characters = Array(line)
    let start = characters.firstIndex { $0 != " " } ?? 0
    let gap = characters.indices.dropFirst(start + 2).first {
      characters[$0] != " " && characters[$0 - 1] == " " && characters[$0 - 2] == " "
    }
    return gap ?? start
  }

  /// Words in lines, of which all but the first begin with so many spaces.
  private static func folded(_ lines: [String], columns: Int, hanging: Int) -> [String] {
    guard let first = lines.first else { return [] }
    // A column that begins too far to the right has no place for a word.
    let hanging = hanging < columns - 20 ? hanging : 6
    let head = hanging > 0 ? String(first.prefix(hanging)) : ""
    let text = [String(first.dropFirst(head.count))] + lines.dropFirst()
    var folded: [String] = []
    var line = head
    var isEmpty = true
    for word in text.flatMap({ $0.split(separator: " ") }) {
      if !isEmpty, line.count + 1 + word.count > columns {
        folded.append(line)
        (line, isEmpty) = (String(repeating: " ", count: hanging), true)
      }
      line += isEmpty ? String(word) : " \(word)"
      isEmpty = false
    }
    return folded + [line]
  }

  private static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard isatty(descriptor) == 1, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
    else { return nil }
    return Int(size.ws_col)
  }
}
