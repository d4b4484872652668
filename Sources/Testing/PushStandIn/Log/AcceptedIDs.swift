package import PushCore

/// Counts how often APNs has accepted each message ID, so that a client's test sees lost and repeated messages.
package struct AcceptedIDs: Sendable {
  /// The most IDs that are kept: the last 100,000.
  package static let capacity = 100_000

  private var counts: [MessageID: Int] = [:]
  private var order: [MessageID] = []
  private var oldest = 0

  /// How often an ID was accepted; 0 if it is unknown or no longer kept.
  package subscript(id: MessageID) -> Int { counts[id] ?? 0 }

  /// The number of IDs that were accepted.
  package var count: Int { counts.count }

  /// The IDs that were accepted more than once.
  package var repeated: [MessageID] { counts.filter { $0.value > 1 }.map(\.key) }

  /// Counts an ID.
  mutating func note(_ id: MessageID) {
    if let count = counts[id] {
      counts[id] = count + 1
      return
    }
    counts[id] = 1
    if order.count < Self.capacity {
      order.append(id)
    } else {
      counts[order[oldest]] = nil
      order[oldest] = id
      oldest = (oldest + 1) % Self.capacity
    }
  }
}
