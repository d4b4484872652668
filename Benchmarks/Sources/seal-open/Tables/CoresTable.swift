/// How fast many messages are sealed together, with lanes and without, on one core and on all.
enum CoresTable {
  private static let table = Table(
    "operation",
    [
      ("one by one/s", 12), ("no lanes/s", 10), ("together/s", 10), ("±", 6), ("together/no lanes", 17),
      ("all cores/s", 11), ("±", 6), ("all/together", 12),
      ("±", 6), ("processors", 10),
    ])

  static var head: String { table.head }

  static func row(_ finding: Finding) -> String {
    let (together, all) = (finding.rate(.together), finding.rate(.allCores))
    let ratio = finding.ratio(.together, to: .allCores)
    return table.row([
      finding.label, finding.rate(.whole).count, finding.rate(.withoutLanes).count, together.count,
      together.spread,
      finding.ratio(.withoutLanes, to: .together).decimal(2), all.count, all.spread,
      ratio.decimal(2), ratio.spread, finding.processors(.allCores).decimal(2),
    ])
  }
}
