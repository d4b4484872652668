/// The levels at which an engine keeps jobs: a priority, and 10 more for the push types that the first versions do not know.
package enum JobLevel {
  /// Every level, in the order of leases: by priority, and of one priority the first or the second kind first.
  ///
  /// Which kind comes first changes by chance, so that neither makes the other one wait.
  package static func mostUrgentFirst(isSecondKindFirst: Bool = .random()) -> [Int] {
    (0...9).reversed().flatMap { isSecondKindFirst ? [$0 + 10, $0] : [$0, $0 + 10] }
  }

  /// Every level.
  package static let all = 0...19
}
