/// How many jobs of an app and a push type are in a queue.
public struct QueueDepth: Hashable, Sendable {
  /// The column `topic`, of which at most 255 characters are kept; nil for all apps.
  public let topic: String?

  /// The column `push_type`, of which at most 32 characters are kept; null counts as `alert`.
  public let pushType: String

  /// Jobs that are not done: ready, delayed or leased.
  public let waiting: Int

  /// Dead letters.
  public let dead: Int

  package init(topic: String?, pushType: String, waiting: Int, dead: Int) {
    (self.topic, self.pushType, self.waiting, self.dead) = (topic, pushType, waiting, dead)
  }
}

/// The columns of a count by topic and push type.
package struct DepthColumns: RowColumns {
  private let topic, pushType, waiting, dead: Column

  package init(in names: some ColumnNames) {
    topic = names.column("topic")
    pushType = names.column("push_type")
    waiting = names.column("waiting")
    dead = names.column("dead")
  }

  package func depth(in row: borrowing some StoreRow & ~Copyable) -> QueueDepth {
    QueueDepth(
      topic: row.text(in: topic), pushType: row.text(in: pushType) ?? "alert",
      waiting: Int(row.integer(in: waiting)),
      dead: Int(row.integer(in: dead)))
  }
}
