/// Rows of texts for people, in columns.
package enum TextTable {
  /// The rows, all with as many columns as the first, each column as wide as its longest text; none ends in spaces.
  package static func text(of rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map(Help.padded).joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }
}
