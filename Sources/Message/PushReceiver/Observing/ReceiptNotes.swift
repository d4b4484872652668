public import PushCore
internal import PushEnrolment
internal import PushFiles

/// Notes which messages an extension has opened, in a small file, so that the app can report them with a `Receipt`.
///
/// An app that wants receipts has it among its extension's observers; otherwise nothing is noted. It notes the ID and the time
/// of each message of a trusted sender that is shown as it was sent: not of placeholders, of duplicates, or of messages that
/// nobody has signed, because whoever can push could fill the file with those. It belongs where a ``DiagnosticsLog`` does.
/// Any number of processes may share it, each with its own `ReceiptNotes`.
///
/// ```json
/// {"v":1,"opened":[{"id":"0b54a2c5-3f5b-4f0e-9d7c-3a3c1a4e8f10","at":1764500000}]}
/// ```
///
/// The newest ``maximumCount`` notes are kept, for ``keptTime`` at most. A note never hinders showing: one that cannot be written
/// within a quarter of a second is lost. A damaged file is replaced; a file of a later version is left alone.
public struct ReceiptNotes: ReceptionObserver {
  /// The most notes: 500, as many as a receipt can have.
  public static let maximumCount = Receipt.maximumCount

  /// How long a note is kept: 30 days, as long as a message can live.
  public static let keptTime = Duration.seconds(30 * 86_400)

  /// How long before its receipt a message must have been noted for the note to be forgotten: 5 minutes.
  ///
  /// A backend may not have written yet what became of a message that was noted later; the next receipt has it again.
  public static let settlingTime = Duration.seconds(300)

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let file: SmallFile

  /// Takes a path, without touching the file yet.
  public init(path: String) {
    self.path = path
    // A note takes 63 bytes.
    file = SmallFile(
      path: path, maximumSize: 64 << 10, durability: .ordered, patience: .milliseconds(250))
  }

  /// The messages that were noted, the first noted first; empty without a file.
  ///
  /// - Throws: ``ReceiverFileError``.
  public func messages(at now: UnixTime = .now) throws(ReceiverFileError) -> [MessageID] {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw ReceiverFileError(error) }
    guard let bytes else { return [] }
    return try Self.decode(bytes).kept(at: now).map(\.message)
  }

  /// Notes a message that was opened.
  public func observe(_ report: ReceptionReport) {
    guard case .opened(let opened) = report.outcome, !opened.isDuplicate, opened.sender != nil else { return }
    let note = Note(message: opened.claims.messageID, time: report.time)
    try? change { notes in notes.filter { $0.message != note.message }.kept(at: note.time) + [note] }
  }

  /// Forgets the messages of a receipt that the backend has taken, except those that were noted within ``settlingTime`` before
  /// it was signed.
  ///
  /// - Throws: ``ReceiverFileError``; then the next receipt has them again.
  public func forget(_ messages: [MessageID], reportedAt time: UnixTime) throws(ReceiverFileError) {
    let (messages, settled) = (Set(messages), time.seconds - Self.settlingTime.components.seconds)
    try change { notes in
      notes.filter { note in
        // What seems to be noted after the receipt was noted before the clock was set back.
        !messages.contains(note.message) || (settled + 1...time.seconds).contains(note.time.seconds)
      }
    }
  }

  /// Forgets all notes: when a person signs out, or when the app wants no receipts any more.
  ///
  /// - Throws: ``ReceiverFileError``.
  public func forgetAll() throws(ReceiverFileError) {
    do throws(FileError) {
      try file.update(overTooLarge: true) { (old) throws(FileError) in
        let empty = Self.encode([])
        return (old == nil || old == empty ? nil : empty, ())
      }
    } catch .missing {
      // Where there is no folder, there are no notes.
    } catch {
      throw ReceiverFileError(error)
    }
  }

  private func change(_ change: ([Note]) -> [Note]) throws(ReceiverFileError) {
    do throws(FileError) {
      try file.update(overTooLarge: true) { (old) throws(FileError) in
        var notes: [Note] = []
        do throws(ReceiverFileError) {
          if let old { notes = try Self.decode(old) }
        } catch .laterVersion {
          return (nil, ())
        } catch {}
        let changed = change(notes)
        return (changed == notes ? nil : Self.encode(changed.suffix(Self.maximumCount)), ())
      }
    } catch {
      throw ReceiverFileError(error)
    }
  }

  // MARK: The file

  private static let version: Int64 = 1

  private static func encode(_ notes: some Sequence<Note>) -> [UInt8] {
    let object: JSONObject = [
      "v": .number(JSONNumber(version)),
      "opened": .array(
        notes.map { ["id": .string($0.message.text), "at": .number(JSONNumber($0.time.seconds))] }),
    ]
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  private static func decode(_ bytes: [UInt8]) throws(ReceiverFileError) -> [Note] {
    guard let object = try? JSONObject(parsing: bytes.span), let version = object["v"]?.number?.integer,
      version >= Self.version
    else { throw .damaged }
    guard version == Self.version else { throw .laterVersion }
    guard let values = object["opened"]?.array else { throw .damaged }
    let notes = values.compactMap { $0.object.flatMap(Note.init) }
    guard notes.count == values.count else { throw .damaged }
    return notes
  }
}

/// A message that was opened, and when, by the phone's clock.
private struct Note: Equatable {
  let message: MessageID
  let time: UnixTime
}

extension Note {
  init?(_ object: JSONObject) {
    guard let message = object["id"]?.string.flatMap({ try? MessageID($0) }),
      let time = object["at"]?.number?.integer.flatMap(UnixTime.init(seconds:))
    else { return nil }
    self.init(message: message, time: time)
  }
}

extension Sequence<Note> {
  /// Those that are not too old.
  fileprivate func kept(at now: UnixTime) -> [Note] {
    filter { $0.time.advanced(by: ReceiptNotes.keptTime) > now }
  }
}
