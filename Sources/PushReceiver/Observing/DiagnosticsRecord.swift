public import PushEnvelope

/// What a diagnostics log holds.
public struct DiagnosticsRecord: Hashable, Sendable {
  /// The push that was opened last.
  public struct LastOpened: Hashable, Sendable {
    /// When.
    public let time: UnixTime

    /// The message's identity.
    public let messageID: MessageID

    /// How many pushes were opened since the log was begun.
    public let count: Int
  }

  /// The push that was opened last; null if none was since the log was begun.
  public private(set) var lastOpened: LastOpened?

  /// What was noted, oldest first.
  public private(set) var entries: [DiagnosticsEntry]

  /// Reads a log's bytes, such as an app sends to its makers.
  ///
  /// - Throws: ``DiagnosticsLogError/damaged``, ``DiagnosticsLogError/laterVersion``.
  public init(parsing bytes: Span<UInt8>) throws(DiagnosticsLogError) {
    self = try DiagnosticsLogFormat.decode(bytes)
  }

  init(lastOpened: LastOpened? = nil, entries: [DiagnosticsEntry] = []) {
    self.lastOpened = lastOpened
    self.entries = entries
  }

  /// Takes note of a push that was opened.
  mutating func noteOpened(_ messageID: MessageID, at time: UnixTime) {
    // A file can say any number.
    let (count, overflow) = (lastOpened?.count ?? 0).addingReportingOverflow(1)
    lastOpened = LastOpened(time: time, messageID: messageID, count: overflow ? .max : count)
  }

  /// Adds a line, and drops the oldest ones that are over `capacity`.
  mutating func note(_ entry: DiagnosticsEntry, capacity: Int) {
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - capacity))
  }
}
