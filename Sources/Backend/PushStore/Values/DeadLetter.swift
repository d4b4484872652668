public import PushCore

/// A job that was given up, with its row as it was written.
public struct DeadLetter: Sendable {
  /// The job.
  public let id: JobID

  /// Why it was given up.
  public let reason: String

  /// The devices that did not get it; empty if no device did, or none is known.
  public let missing: [MissingDevice]

  /// When it was given up.
  public let diedAt: UnixTime

  /// How often it was leased since it was enqueued or sent again; attempts that a retry forgave do not count.
  public let attempts: Int

  private let row: JobRow

  package init(
    id: JobID, row: JobRow, reason: String, missing: [MissingDevice], diedAt: UnixTime, attempts: Int
  ) {
    self.id = id
    self.row = row
    self.reason = reason
    self.missing = missing
    self.diedAt = diedAt
    self.attempts = attempts
  }

  /// A column's text; nil if it is null.
  ///
  /// It may contain anything, control characters too. Invalid UTF-8 is replaced by replacement characters, and a text is
  /// cut after 64 KiB.
  public subscript(column: JobColumn) -> String? {
    row[column].map { String(decoding: $0, as: UTF8.self) }
  }
}

/// How many jobs are in a queue, and how long the oldest has waited.
public struct QueueStatistics: Hashable, Sendable {
  /// Jobs that can be leased.
  public let ready: Int

  /// Jobs whose time has not come: their `not_before`, or the delay of a retry.
  public let delayed: Int

  /// Jobs that are leased.
  public let leased: Int

  /// Dead letters.
  public let dead: Int

  /// How long the oldest of the ready ones has been ready; nil if none is.
  public let oldestReady: Duration?

  package init(ready: Int, delayed: Int, leased: Int, dead: Int, oldestReady: Duration?) {
    self.ready = ready
    self.delayed = delayed
    self.leased = leased
    self.dead = dead
    self.oldestReady = oldestReady
  }
}

/// Keeps a text and a person out of logs.
extension DeadLetter: CustomStringConvertible, CustomReflectable {
  /// The job's number, and why it was given up.
  public var description: String { "dead letter \(id): \(reason)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
