/// A table in Markdown, whose columns line up in a terminal too.
struct Table {
  /// A column after the first: its title, and the characters that it is wide.
  typealias Column = (title: String, width: Int)

  private let titles: [String]
  private let widths: [Int]

  /// Makes a table of rows that begin with a label.
  init(_ label: String, _ columns: [Column]) {
    titles = [label] + columns.map(\.title)
    widths = [39] + columns.map { max($0.width, $0.title.count) }
  }

  /// The lines above the rows.
  var head: String {
    row(titles) + "\n" + row(titles.enumerated().map { index, _ in index == 0 ? "---" : "---:" })
  }

  /// A row: a label, and a cell for each column.
  func row(_ cells: [String]) -> String {
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let (text, width) = cell
      let blanks = String(repeating: " ", count: max(0, width - text.count))
      return index == 0 ? text + blanks : blanks + text
    }
    return "| " + padded.joined(separator: " | ") + " |"
  }
}
