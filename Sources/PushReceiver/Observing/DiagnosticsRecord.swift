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

  /// What came of other systems' envelopes, for each format, the one that was seen last at the end.
  ///
  /// When none comes any more, a format needs no longer be accepted.
  public private(set) var formats: [FormatCount]

  /// What was noted, oldest first.
  public private(set) var entries: [DiagnosticsEntry]

  /// When anything was last written down: the extension ran then; null if it never was.
  public var lastNoted: UnixTime? {
    (entries.map(\.time) + formats.map(\.time) + (lastOpened.map { [$0.time] } ?? [])).max()
  }

  /// Reads a log's bytes, such as an app sends to its makers.
  ///
  /// - Throws: ``DiagnosticsLogError/damaged``, ``DiagnosticsLogError/laterVersion``.
  public init(parsing bytes: Span<UInt8>) throws(DiagnosticsLogError) {
    self = try DiagnosticsLogFormat.decode(bytes)
  }

  init(
    lastOpened: LastOpened? = nil, formats: [FormatCount] = [], entries: [DiagnosticsEntry] = []
  ) {
    self.lastOpened = lastOpened
    self.formats = formats
    self.entries = entries
  }

  /// Takes note of a push that was opened.
  mutating func noteOpened(_ messageID: MessageID, at time: UnixTime) {
    let count = (lastOpened?.count ?? 0).incremented
    lastOpened = LastOpened(time: time, messageID: messageID, count: count)
  }

  /// How many formats are counted; the one that was seen longest ago makes room.
  static let maximumFormatCount = 16

  /// Counts a push that had another system's envelope.
  mutating func count(_ format: FormatSighting, at time: UnixTime) {
    let name = DiagnosticsEntry.printable(format.name)
    var count = formats.first { $0.name == name } ?? FormatCount(name: name, time: time)
    count.note(format.fate, at: time)
    formats.removeAll { $0.name == name }
    formats.append(count)
    formats.removeFirst(max(0, formats.count - Self.maximumFormatCount))
  }

  /// Adds a line, and drops the oldest ones that are over `capacity`.
  mutating func note(_ entry: DiagnosticsEntry, capacity: Int) {
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - capacity))
  }
}
