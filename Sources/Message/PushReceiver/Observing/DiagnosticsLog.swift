internal import PushCore
internal import PushFiles
internal import PushKeys

/// A bounded log of the pushes that were not opened, in a file that the app or `sealpush log` can read.
///
/// Each such push adds a line with the time, the reason, the key's ID, and the message's ID if it is known. So does
/// each step that failed, and each push that the replay store could not check. Other systems' envelopes are counted by
/// format. The log also says when a push was last opened, with which suite, and when anything was last noted: an app
/// that knows of later pushes can tell that its extension does not run. When the log is full, the oldest line is
/// dropped.
///
/// The log contains no plaintext, title, envelope or key: only times, codes, the names of steps, and IDs that mean
/// nothing to others. Only its owner can read or write it (0600). Any number of processes may share the file, each with
/// its own `DiagnosticsLog`. In an app it belongs in the app group's container, in a folder that iOS does not protect
/// before the first unlock, such as `SharedFolder.unprotected(_:)` makes.
///
/// A note that cannot be written is lost. The log waits a second at most for another process's lock. A damaged file is
/// replaced; a file of a later version is left alone.
public struct DiagnosticsLog: ReceptionObserver {
  /// The most lines that a log can have: 1000.
  public static let maximumCapacity = 1000

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// How many lines are kept.
  public let capacity: Int

  private let file: SmallFile

  /// Makes a log of at most `capacity` lines, without touching the file yet.
  ///
  /// The capacity is clamped to 1 through ``maximumCapacity``. A line has about 150 bytes.
  public init(path: String, capacity: Int = 200) {
    self.init(path: path, capacity: capacity, patience: .seconds(1))
  }

  /// Makes a log that waits for the file's lock no longer than `patience`.
  package init(path: String, capacity: Int = 200, patience: Duration) {
    self.path = path
    self.capacity = min(max(1, capacity), Self.maximumCapacity)
    file = SmallFile(
      path: path, maximumSize: DiagnosticsLogFormat.size(of: Self.maximumCapacity),
      durability: .ordered, patience: patience)
  }

  /// Reads the log.
  ///
  /// - Throws: ``ReceiverFileError``.
  public func read() throws(ReceiverFileError) -> DiagnosticsRecord {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw ReceiverFileError(error) }
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

  /// The events to note for a report.
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

  /// The record in a file; a new one with a note if the file is damaged, and nil if it must be left alone.
  private static func record(from bytes: [UInt8]?, at time: UnixTime) -> DiagnosticsRecord? {
    guard let bytes else { return DiagnosticsRecord() }
    do throws(ReceiverFileError) {
      return try DiagnosticsRecord(parsing: bytes.span)
    } catch .laterVersion {
      return nil
    } catch {
      let note = DiagnosticsNote.logBegunAnew.rawValue
      return DiagnosticsRecord(entries: [DiagnosticsEntry(time: time, event: .noted(note))])
    }
  }
}

/// What a diagnostics log notes besides pushes that were not opened and steps that failed.
///
/// The raw values are stable.
package enum DiagnosticsNote: String, Sendable, CaseIterable {
  /// A push was opened, but the replay store could not say whether it was opened before.
  case replayNotChecked = "replay-not-checked"
  /// A push was not opened because a key could not be read, and unlocking the phone does not help.
  case keysUnavailable = "keys-unavailable"
  /// The log was damaged, and its contents are lost.
  case logBegunAnew = "log-begun-anew"
}
