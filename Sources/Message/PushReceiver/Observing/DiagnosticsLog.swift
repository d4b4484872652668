internal import PushCore
internal import PushFiles
internal import PushKeys

/// A bounded log of the pushes that were not opened, in a file that the app or `sealpush log` can read.
///
/// Each leaves a line: the time, the reason, the key's id, and the message's id if it is known. So does a step that
/// failed, and a push that the replay store could not check. Other systems' envelopes are counted by format. The log also
/// has the time at which a push was last opened, with which suite, and at which anything was noted: an app that knows of later pushes can
/// tell that its extension does not run. When the log is full, the oldest line is dropped.
///
/// There is no plaintext in it, no title, no envelope and no key: only times, codes, the names of steps, and
/// identities that mean nothing to others. It is its owner's alone (0600). Any number of processes may share the file,
/// each with a log of its own. In an app it belongs in the app group's container, in a folder that iOS does not protect
/// before the first unlock, such as `SharedFolder.unprotected(_:)` makes.
///
/// A note that cannot be written is lost. Waiting for another process's lock takes a second at most. A damaged file is
/// replaced; a file of a later version is left alone.
public struct DiagnosticsLog: ReceptionObserver {
  /// The most lines that a log can have: 1000.
  public static let maximumCapacity = 1000

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// How many lines are kept.
  public let capacity: Int

  private let file: SmallFile

  /// Names a file for at most `capacity` lines, and touches nothing yet.
  ///
  /// A capacity is brought between 1 and ``maximumCapacity``. A line has about 150 bytes.
  public init(path: String, capacity: Int = 200) {
    self.init(path: path, capacity: capacity, patience: .seconds(1))
  }

  /// Names a file whose lock is waited for no longer than `patience`.
  package init(path: String, capacity: Int = 200, patience: Duration) {
    self.path = path
    self.capacity = min(max(1, capacity), Self.maximumCapacity)
    file = SmallFile(
      path: path, maximumSize: DiagnosticsLogFormat.size(of: Self.maximumCapacity),
      durability: .ordered, patience: patience)
  }

  /// Reads the log.
  ///
  /// - Throws: ``DiagnosticsLogError``.
  public func read() throws(DiagnosticsLogError) -> DiagnosticsRecord {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw DiagnosticsLogError(error) }
    guard let bytes else { throw .missing }
    return try DiagnosticsRecord(parsing: bytes.span)
  }

  /// Notes the result of a push.
  public func observe(_ report: ReceptionReport) {
    change(at: report.time) { record in
      if let format = report.format {
        record.count(format, at: report.time)
      }
      for event in Self.events(of: report) {
        record.note(DiagnosticsEntry(event, of: report), capacity: capacity)
      }
      guard case .opened(let opened) = report.outcome else { return }
      record.noteOpened(opened, at: report.time)
    }
  }

  /// What a report gives to note.
  private static func events(of report: ReceptionReport) -> [DiagnosticsEntry.Event] {
    switch report.outcome {
    case .degraded(let reason):
      let unavailable = DiagnosticsEntry.Event.noted(DiagnosticsNote.keysUnavailable.rawValue)
      return [.degraded(reason: reason.rawValue)] + (report.keyFault == .unavailable ? [unavailable] : [])
    case .opened(let opened) where opened.repetition == .notChecked:
      return [.noted(DiagnosticsNote.replayNotChecked.rawValue)]
    case .opened, .openedOther: return []
    }
  }

  /// Notes a step that failed.
  public func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport) {
    note(DiagnosticsEntry(.stepFailed(step: step, failure: failure.code), of: report))
  }

  private func note(_ entry: DiagnosticsEntry) {
    change(at: entry.time) { $0.note(entry, capacity: capacity) }
  }

  /// Changes the log, if it can be written.
  private func change(at time: UnixTime, by change: (inout DiagnosticsRecord) -> Void) {
    try? file.update(overTooLarge: true) { (old) throws(FileError) in
      guard var record = Self.record(from: old, at: time) else { return (nil, ()) }
      change(&record)
      return (DiagnosticsLogFormat.encode(record), ())
    }
  }

  /// What a file holds, empty but for a note if it is damaged; nil if it must be left alone.
  private static func record(from bytes: [UInt8]?, at time: UnixTime) -> DiagnosticsRecord? {
    guard let bytes else { return DiagnosticsRecord() }
    do throws(DiagnosticsLogError) {
      return try DiagnosticsRecord(parsing: bytes.span)
    } catch .laterVersion {
      return nil
    } catch {
      let note = DiagnosticsNote.logBegunAnew.rawValue
      return DiagnosticsRecord(entries: [DiagnosticsEntry(time: time, event: .noted(note))])
    }
  }
}

extension DiagnosticsLogError {
  fileprivate init(_ error: FileError) {
    switch error {
    case .missing: self = .missing
    case .notPermitted: self = .notPermitted
    case .tooLarge: self = .damaged
    default: self = .unavailable
    }
  }
}

/// What a diagnostics log notes besides pushes that were not opened, and steps.
///
/// The raw values are stable.
public enum DiagnosticsNote: String, Sendable, CaseIterable {
  /// A push was opened, and the replay store could not say whether it was before.
  case replayNotChecked = "replay-not-checked"
  /// A push was not opened because a key could not be read, and unlocking the phone does not help.
  case keysUnavailable = "keys-unavailable"
  /// The log was damaged, and what it held is lost.
  case logBegunAnew = "log-begun-anew"
}

/// Why a diagnostics log cannot be read.
public enum DiagnosticsLogError: Error, Equatable, Sendable {
  /// There is no such file: nothing was noted yet, or not there.
  case missing
  /// It is no log, or a damaged one, which the next note replaces.
  case damaged
  /// It is of a later version.
  case laterVersion
  /// The system does not permit it.
  case notPermitted
  /// It cannot be read for another reason.
  case unavailable
}

extension DiagnosticsLogError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .missing: "there is no log: nothing was noted yet, or not there"
    case .damaged: "this is not a diagnostics log, or a damaged one, which the next note replaces"
    case .laterVersion: "the log was written by a newer version"
    case .notPermitted: "the log cannot be read: not permitted"
    case .unavailable: "the log cannot be read"
    }
  }
}
