/// How fast an operation is, beside what it cannot do without and libsodium's sealed box.
enum SpeedTable {
  private static let table = Table(
    "operation",
    [
      ("whole/s", 7), ("±", 6), ("bare/s", 7), ("±", 6), ("whole/bare", 10), ("±", 6), ("box/whole", 9),
      ("±", 6),
    ])

  static var head: String { table.head }

  static func row(_ finding: Finding) -> String {
    let (whole, bare) = (finding.rate(.whole), finding.rate(.bare))
    let (ratio, pace) = (finding.ratio(.whole, to: .bare), finding.ratio(.box, to: .whole))
    return table.row([
      finding.label, whole.count, whole.spread, bare.count, bare.spread, ratio.decimal(2), ratio.spread,
      pace.decimal(2), pace.spread,
    ])
  }
}
