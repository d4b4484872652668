/// Where the time of a message goes, and what it allocates.
enum PartsTable {
  private static let table = Table(
    "µs a message",
    [
      ("whole", 7), ("bare", 7), ("JSON", 6), ("base64", 6), ("userInfo", 8), ("rest", 6), ("±", 6),
      ("allocations", 11),
      ("bytes", 7),
    ])

  static var head: String { table.head }

  static func row(_ finding: Finding, _ allocations: AllocationCount) -> String {
    let rest = finding.rest(without: [.bare, .json, .base64, .userInfo])
    return table.row([
      finding.label, finding.time(.whole).decimal(1), finding.time(.bare).decimal(1),
      finding.time(.json).decimal(1), finding.time(.base64).decimal(1),
      finding.time(.userInfo).decimal(1), rest.decimal(1), rest.spread, String(allocations.count),
      String(allocations.bytes),
    ])
  }
}
