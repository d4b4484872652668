/// The findings as a table in Markdown, whose columns line up in a terminal too.
enum Table {
  static let head = """
    \(row(["operation", "whole/s", "±", "bare/s", "±", "whole/bare", "±", "box/whole", "±"]))
    \(row(["---", "---:", "---:", "---:", "---:", "---:", "---:", "---:", "---:"]))
    """

  static func row(_ label: String, _ finding: Finding) -> String {
    row(
      [label]
        + [finding.whole, finding.bare].flatMap { [String(Int($0.median.rounded())), percent($0.spread)] }
        + [finding.ratio, finding.pace].flatMap { [decimal($0.median, digits: 2), percent($0.spread)] })
  }

  private static let widths = [39, 7, 6, 7, 6, 10, 6, 9, 6]

  private static func row(_ cells: [String]) -> String {
    let padded = zip(cells, widths).enumerated().map { index, cell in
      let (text, width) = cell
      let blanks = String(repeating: " ", count: max(0, width - text.count))
      return index == 0 ? text + blanks : blanks + text
    }
    return "| " + padded.joined(separator: " | ") + " |"
  }

  private static func percent(_ part: Double) -> String { decimal(100 * part, digits: 1) + "%" }

  private static func decimal(_ value: Double, digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { power, _ in power * 10 }
    let scaled = Int((value * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    return "\(scaled / scale)." + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
