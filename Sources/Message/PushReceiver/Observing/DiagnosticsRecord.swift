public import PushCore

/// The contents of a diagnostics log.
public struct DiagnosticsRecord: Hashable, Sendable {
  /// The push that was opened last.
  public struct LastOpened: Hashable, Sendable {
    /// When it was opened.
    public let time: UnixTime

    /// The message's ID.
    public let messageID: MessageID

    /// The message's suite; nil if an earlier version of this package wrote the log, or if this version does not know
    /// the suite.
    public let suite: Suite?

    /// How many pushes were opened since the log was begun.
    public let count: Int
  }

  /// The push that was opened last; nil if none was since the log was begun.
  public private(set) var lastOpened: LastOpened?

  /// How often each other format was seen, with the most recently seen one last.
  ///
  /// A format that no longer arrives need not be accepted any more.
  public private(set) var formats: [FormatCount]

  /// What was noted, oldest first.
  public private(set) var entries: [DiagnosticsEntry]

  /// When anything was last noted, which is when the extension last ran; nil if nothing was noted.
  public var lastNoted: UnixTime? {
    (entries.map(\.time) + formats.map(\.time) + (lastOpened.map { [$0.time] } ?? [])).max()
  }

  /// Reads a log's bytes, such as those that an app sends to its developers.
  ///
  /// - Throws: ``ReceiverFileError/damaged``, ``ReceiverFileError/laterVersion``.
  public init(parsing bytes: Span<UInt8>) throws(ReceiverFileError) {
    self = try DiagnosticsLogFormat.decode(bytes)
  }

  init(
    lastOpened: LastOpened? = nil, formats: [FormatCount] = [], entries: [DiagnosticsEntry] = []
  ) {
    self.lastOpened = lastOpened
    self.formats = formats
    self.entries = entries
  }

  /// Notes a push that was opened.
  mutating func noteOpened(_ opened: Opened, at time: UnixTime) {
    let count = (lastOpened?.count ?? 0).incremented
    lastOpened = LastOpened(
      time: time, messageID: opened.claims.messageID, suite: opened.suite, count: count)
  }

  /// The most formats that are counted; a new one replaces the one that was seen longest ago.
  static let maximumFormatCount = 16

  /// Counts a push that had another system's envelope.
  mutating func count(_ format: ReceptionReport.Format, at time: UnixTime) {
    let name = DiagnosticsEntry.printable(format.name)
    var count = formats.first { $0.name == name } ?? FormatCount(name: name, time: time)
    count.note(format.result, at: time)
    formats.removeAll { $0.name == name }
    formats.append(count)
    formats.removeFirst(max(0, formats.count - Self.maximumFormatCount))
  }

  /// Adds a line, and drops the oldest lines above `capacity`.
  mutating func note(_ entry: DiagnosticsEntry, capacity: Int) {
    entries.append(entry)
    entries.removeFirst(max(0, entries.count - capacity))
  }
}

/// A line of a diagnostics log.
///
/// Its words are codes and the names of steps, printable and of at most 64 bytes. A later version may have written
/// codes that this one does not know.
public struct DiagnosticsEntry: Hashable, Sendable {
  /// What a line is about.
  public enum Event: Hashable, Sendable {
    /// A push was not opened: the raw value of its ``DegradeReason``.
    case degraded(reason: String)
    /// A step after opening changed nothing: its name, and the code of its ``StepFailure``.
    case stepFailed(step: String, failure: String)
    /// Something else: a code, such as `keys-unavailable`.
    case noted(String)
  }

  /// When it happened.
  public let time: UnixTime

  /// What it is about.
  public let event: Event

  /// The ID of the device's key, from the envelope; nil if the envelope could not be read.
  public let keyID: KeyID?

  /// The message's ID; nil if it is not known.
  public let messageID: MessageID?

  /// The other system's format whose envelope was not opened; nil for any other event.
  public let format: String?

  /// Why that envelope was not opened: the code of a ``ReceptionReport/Format/Result``, or `over` if the format had
  /// expired; nil for any other event.
  public let formatFault: String?

  /// Why a push was not opened; nil for any other event, and for a reason that only a later version knows.
  public var degradeReason: DegradeReason? {
    if case .degraded(let reason) = event { DegradeReason(rawValue: reason) } else { nil }
  }

  init(
    time: UnixTime, event: Event, keyID: KeyID? = nil, messageID: MessageID? = nil, format: String? = nil,
    formatFault: String? = nil
  ) {
    self.time = time
    self.event = event.printable
    self.keyID = keyID
    self.messageID = messageID
    self.format = format.map(Self.printable)
    self.formatFault = formatFault.map(Self.printable)
  }

  init(_ event: Event, of report: ReceptionReport) {
    let fault = report.format?.fault
    self.init(
      time: report.time, event: event, keyID: report.keyID, messageID: report.messageID,
      format: fault == nil ? nil : report.format?.name, formatFault: fault)
  }

  /// The most bytes of a word; longer ones are cut.
  static let maximumWordSize = 64
}

extension DiagnosticsEntry.Event {
  fileprivate var printable: Self {
    switch self {
    case .degraded(let reason): .degraded(reason: DiagnosticsEntry.printable(reason))
    case .stepFailed(let step, let failure):
      .stepFailed(
        step: DiagnosticsEntry.printable(step), failure: DiagnosticsEntry.printable(failure))
    case .noted(let note): .noted(DiagnosticsEntry.printable(note))
    }
  }
}

extension DiagnosticsEntry {
  /// The beginning of a word, with a question mark for each character that is not printable.
  static func printable(_ word: String) -> String {
    var printable = ""
    for scalar in word.unicodeScalars {
      let scalar = isVisible(scalar) ? scalar : "?"
      guard printable.utf8.count + scalar.utf8.count <= DiagnosticsEntry.maximumWordSize else { break }
      printable.unicodeScalars.append(scalar)
    }
    return printable
  }

  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }
}

/// Counts the pushes that had another system's envelope in one format that the receiver knows.
public struct FormatCount: Hashable, Sendable {
  /// The format's name, such as `openssl-salted`.
  public let name: String

  /// When the last one came.
  public private(set) var time: UnixTime

  /// How many were opened.
  public private(set) var opened: Int

  /// How many were not opened although the format was still accepted, without those for which time ran out.
  public private(set) var failed: Int

  /// How many were not opened because the format had expired.
  public private(set) var expired: Int

  init(name: String, time: UnixTime, opened: Int = 0, failed: Int = 0, expired: Int = 0) {
    self.name = name
    self.time = time
    self.opened = opened
    self.failed = failed
    self.expired = expired
  }

  /// Counts one more.
  mutating func note(_ result: ReceptionReport.Format.Result, at time: UnixTime) {
    self.time = time
    switch result {
    case .opened: opened = opened.incremented
    case .failed: failed = failed.incremented
    case .expired: expired = expired.incremented
    }
  }
}

extension Int {
  /// One more, without overflow: a file can contain any number.
  var incremented: Int { self == .max ? self : self + 1 }
}
