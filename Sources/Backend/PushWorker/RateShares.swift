internal import PushCore
internal import PushStore

/// What a worker may send of limited topics, for the jobs that it prepares together.
struct RateShares {
  private var shares: [Topic: (left: Int, end: Duration)] = [:]

  /// Whether a push may begin.
  enum Turn {
    /// It may, before this uptime; nil if there is no limit.
    case now(until: Duration?)
    /// It must wait.
    case later
  }

  /// Adds a share that was asked for at an uptime.
  mutating func add(_ share: RateShare, of topic: Topic, at start: Duration) {
    shares[topic] = (share.count, start + share.useTime)
  }

  /// Takes a push of a topic from the share.
  mutating func take(_ topic: Topic) -> Turn {
    // Most often nothing is limited, and then nothing has to be hashed.
    guard !shares.isEmpty, let share = shares[topic] else { return .now(until: nil) }
    guard share.left > 0 else { return .later }
    shares[topic]?.left -= 1
    return .now(until: share.end)
  }
}
