/// How fast a device's keys are made.
enum KeysTable {
  private static let table = Table("operation", [("/s", 7), ("±", 6)])

  static var head: String { table.head }

  static func row(_ finding: Finding) -> String {
    let rate = finding.rate(.whole)
    return table.row([finding.label, rate.count, rate.spread])
  }
}
