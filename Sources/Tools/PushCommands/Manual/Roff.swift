/// Text for roff.
enum Roff {
  /// A text with roff's special characters escaped; hyphens stay hyphens, so that they can be searched for and copied.
  static func text(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line(String($0)) }.joined(
      separator: "\n")
  }

  static func bold(_ word: String) -> String { "\\fB\(text(word))\\fR" }

  static func italic(_ word: String) -> String { "\\fI\(text(word))\\fR" }

  /// The paragraphs of a command's details: indented lines stay as they are, the others are filled.
  static func paragraphs(of details: String) -> String {
    let lines = details.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.split(separator: "").map { paragraph(of: Array($0)) }.joined()
  }

  private static func paragraph(of lines: [Substring]) -> String {
    let width = lines.map(\.count).max() ?? 0
    var text = ".PP\n"
    var isVerbatim = false
    for (index, line) in lines.enumerated() {
      let isIndented = line.hasPrefix("  ")
      if isIndented != isVerbatim { text += isIndented ? ".RS 2\n.nf\n" : ".fi\n.RE\n" }
      isVerbatim = isIndented
      text += self.text(String(isIndented ? line.dropFirst(2) : line)) + "\n"
      guard !isIndented, index + 1 < lines.count else { continue }
      if ends(line, before: lines[index + 1], width: width) { text += ".PP\n" }
    }
    return text + (isVerbatim ? ".fi\n.RE\n" : "")
  }

  /// Whether a line ends its paragraph: the next line's first word would have fit on it.
  private static func ends(_ line: Substring, before next: Substring, width: Int) -> Bool {
    let word = next.prefix { $0 != " " }
    return line.count < 80 || line.hasSuffix(".") && line.count + 1 + word.count <= width
  }

  private static func line(_ line: String) -> String {
    let escaped = line.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\e"
      case "-": "\\-"
      case "'": "\\(aq"
      case "`": "\\(ga"
      case "^": "\\(ha"
      case "~": "\\(ti"
      case "…": "..."
      // A long list of JSON members breaks where it can.
      case ",": ",\\:"
      default: String(scalar)
      }
    }.joined()
    // A request begins with a period.
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }
}
