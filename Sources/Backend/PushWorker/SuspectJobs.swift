internal import PushStore

/// Jobs that were leased so often without an end that one of them may crash its workers.
///
/// The worker works on them alone, in groups that get smaller with each further lease. So the other jobs of a group are
/// soon separated from the one that crashes workers, and are not given up with it.
struct SuspectJobs {
  /// The jobs to work on, with no others.
  let group: [LeasedJob]

  /// The jobs to give back first.
  let others: [LeasedJob]

  /// Finds the suspects among leased jobs; nil if there are none.
  init?(among jobs: [LeasedJob], configuration: WorkerConfiguration) {
    guard let most = jobs.map(\.attempt).max(), most > configuration.triesThatCount + 1 else { return nil }
    var (group, others): ([LeasedJob], [LeasedJob]) = ([], [])
    let size = Self.size(after: most, configuration: configuration)
    for job in jobs {
      if job.attempt == most, group.count < size { group.append(job) } else { others.append(job) }
    }
    self.group = group
    self.others = others
  }

  /// How many are worked on together: half as many with each lease, and one alone before any is given up.
  private static func size(after attempts: Int, configuration: WorkerConfiguration) -> Int {
    guard attempts < configuration.maximumAttempts - 1 else { return 1 }
    return max(1, configuration.batchSize >> (attempts - configuration.triesThatCount - 1))
  }
}
