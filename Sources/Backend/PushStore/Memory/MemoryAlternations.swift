internal import PushCore

/// The table `alternation` in memory.
struct MemoryAlternations {
  private struct Entry {
    var former: String
    var lastAt: Duration
    /// When the token changed before that, if that was to and fro.
    var beforeAt: Duration?
    var suspendedAt: Duration?
  }

  private var entries: [String: Entry] = [:]

  func alternation(of identity: String, at now: Duration) -> TokenAlternation? {
    entries[identity].map { entry in
      TokenAlternation(
        suspendedAt: entry.suspendedAt?.unixTime, former: entry.former,
        isToAndFro: entry.beforeAt.map { $0 > now - TokenAlternation.window } ?? false)
    }
  }

  mutating func note(_ change: TokenSwitch, at now: Duration) {
    let old = entries[change.identity]
    entries[change.identity] = Entry(
      former: change.old, lastAt: now, beforeAt: old?.former == change.new ? old?.lastAt : nil,
      suspendedAt: old?.suspendedAt)
  }

  mutating func suspend(_ identity: String, at now: Duration) { entries[identity]?.suspendedAt = now }

  mutating func forget(_ identity: String) { entries[identity] = nil }

  mutating func remove(atMost count: Int, at now: Duration, unless isKnown: (String) -> Bool) -> Int {
    let end = now - TokenAlternation.keptTime
    let over = entries.filter { identity, entry in
      entry.lastAt <= end && entry.suspendedAt.map { $0 <= end && !isKnown(identity) } ?? true
    }.keys.prefix(max(count, 0))
    for identity in over { entries[identity] = nil }
    return over.count
  }
}
