/// Rows of texts for people, in columns.
package enum TextTable {
  /// Aligns rows that have as many columns as the first.
  ///
  /// Each column is as wide as its longest text; no line ends in spaces.
  package static func text(of rows: [[String]]) -> String {
    let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let line = zip(row, widths).map(Help.padded).joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
    }.joined()
  }
}
