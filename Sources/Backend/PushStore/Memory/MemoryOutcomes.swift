internal import PushCore
internal import PushEnrolment

/// The table `outcome` in memory.
struct MemoryOutcomes {
  private struct Key: Hashable {
    let message: MessageID
    /// Empty for no device.
    let identity: String
  }

  private struct Entry {
    let person: ExactString
    let outcome: MessageOutcome
    let decidedAt: Duration
    /// The message's ID on the device.
    let deviceMessageID: MessageID?
    var shownAt: Duration?
  }

  private var entries: [Key: Entry] = [:]

  mutating func record(_ outcomes: JobOutcomes, at now: Duration) {
    // Devices were found since.
    entries[Key(message: outcomes.messageID, identity: "")] = nil
    for outcome in outcomes.outcomes {
      let key = Key(message: outcomes.messageID, identity: outcome.identityText)
      if entries[key]?.outcome.kind == .accepted { continue }
      entries[key] = Entry(
        person: ExactString(outcomes.person), outcome: outcome, decidedAt: now,
        deviceMessageID: outcomes.deviceMessageID(of: outcome), shownAt: entries[key]?.shownAt)
    }
  }

  mutating func take(_ receipt: Receipt, at now: Duration) -> Int {
    let (messages, identity) = (Set(receipt.messages), receipt.identity.thumbprint.text)
    let shown = entries.filter { key, entry in
      key.identity == identity && entry.shownAt == nil
        && entry.deviceMessageID.map(messages.contains) ?? false
    }
    for key in shown.keys { entries[key]?.shownAt = now }
    return shown.count
  }

  func outcomes(of message: MessageID) -> [RecordedOutcome] {
    entries.filter { $0.key.message == message }.sorted { $0.key.identity < $1.key.identity }.map {
      _, entry in
      RecordedOutcome(
        person: entry.person.string, outcome: entry.outcome, decidedAt: entry.decidedAt.unixTime,
        shownAt: entry.shownAt?.unixTime)
    }
  }

  mutating func remove(olderThan age: Duration, atMost count: Int, at now: Duration) -> Int {
    let old = entries.filter { $0.value.decidedAt <= now - age }.sorted {
      $0.value.decidedAt < $1.value.decidedAt
    }
    let removed = old.prefix(max(count, 0))
    for entry in removed { entries[entry.key] = nil }
    return removed.count
  }

  mutating func forget(person: String) -> Int {
    let before = entries.count
    entries = entries.filter { $0.value.person != ExactString(person) }
    return before - entries.count
  }
}
