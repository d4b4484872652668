#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif

/// A manual page wrapped for a narrow terminal: no word is split, and columns stay columns.
enum FittedText {
  /// The page for the terminal behind a descriptor; unchanged for a file or a pipe.
  static func text(of page: String, on descriptor: Int32) -> String {
    columns(of: descriptor).map { text(of: page, columns: $0) } ?? page
  }

  /// The page with lines of at most that many columns; a longer word stays whole.
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

  /// Whether the line is a command, which must stay whole to be copied.
  private static func isCommand(_ line: String) -> Bool {
    line.hasPrefix("    ") || line.dropFirst(indent(of: line)).hasPrefix("sealpush")
  }

  /// Where the last column of a line begins, after the spaces that separate it from the column before.
  private static func indent(of line: String) -> Int {
    let characters = Array(line)
    let start = characters.firstIndex { $0 != " " } ?? 0
    let gap = characters.indices.dropFirst(start + 2).first {
      characters[$0] != " " && characters[$0 - 1] == " " && characters[$0 - 2] == " "
    }
    return gap ?? start
  }

  /// Words as lines, each but the first indented by that many spaces.
  private static func folded(_ lines: [String], columns: Int, hanging: Int) -> [String] {
    guard let first = lines.first else { return [] }
    // A column that begins too far to the right has no room for a word.
    let hanging = hanging < columns - 20 ? hanging : 6
    let head = String(first.prefix(hanging))
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
