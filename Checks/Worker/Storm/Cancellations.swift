import PushCore

/// The messages that are cancelled while workers deliver, one in ten of all: some just as workers have their jobs, and
/// others before.
struct Cancellations {
  /// Messages that are cancelled together.
  private struct Target {
    let column: String
    let value: String
    /// How many jobs are done when it is time.
    let due: Int
  }

  /// How many jobs are between those that are done and those that are cancelled, in turn.
  ///
  /// A worker has up to 4,000 jobs at a time, and so has each one that was killed in the last seconds.
  private static let leads = [0, 2000, 15_000, 30_000]

  private var targets: ArraySlice<Target>

  /// The number of messages with these targets.
  let messageCount: Int

  /// The IDs at APNs of those whose jobs no worker had ever had: APNs may not see them.
  private(set) var unleased: Set<MessageID> = []

  /// The IDs at APNs of those whose jobs a worker had, or had had: APNs may have seen them, or see them.
  private(set) var leased: Set<MessageID> = []

  init(of jobs: [StormJob]) {
    var targets: [Target] = []
    var keys: Set<String> = []
    for job in jobs {
      let due = job.number - Self.leads[targets.count % Self.leads.count]
      if job.isCancelled {
        targets.append(Target(column: "message_id", value: job.messageID.text, due: due))
      }
      if let key = job.key, keys.insert(key).inserted {
        targets.append(Target(column: "job_key", value: key, due: due))
      }
    }
    self.targets = targets.sorted { $0.due < $1.due }[...]
    messageCount = jobs.count { $0.isCancelled || $0.key != nil }
  }

  /// Makes the cancellations for which it is time, with so many messages sent; some of them, if there are many.
  mutating func makeDue(in ledger: Ledger, sent: Int) throws {
    let done = sent + unleased.count + leased.count
    for target in targets.prefix(20).prefix(while: { $0.due <= done }) {
      targets.removeFirst()
      for attempt in try ledger.cancel(target.column, target.value) {
        if attempt.number == 0 { unleased.insert(attempt.id) } else { leased.insert(attempt.id) }
      }
    }
  }
}
