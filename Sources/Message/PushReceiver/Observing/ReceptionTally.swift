internal import PushCore
public import PushEnrolment
internal import PushFiles

/// Counts the pushes that were opened and those that were not, by reason, in a small file, so that the app can report the
/// totals with its enrolments (`DeviceReport`).
///
/// The extension has it among its receiver's observers, and the app reads it. The file has numbers, reasons, and the day on
/// which counting began: no text, no IDs, and no other time. It belongs where a ``DiagnosticsLog`` does. Any number of
/// processes may share it, each with its own `ReceptionTally`.
///
/// ```json
/// {"v":1,"since":20420,"opened":312,"degraded":{"unknown-key":2}}
/// ```
///
/// A count that cannot be written is lost, after a second at most. A damaged file is replaced, and counting begins anew; a
/// file of a later version is left alone.
public struct ReceptionTally: ReceptionObserver {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let file: SmallFile

  private static let version: Int64 = 1

  /// Takes a path, without touching the file yet.
  public init(path: String) { self.init(path: path, patience: .seconds(1)) }

  /// Makes a tally that waits for the file's lock no longer than `patience`.
  package init(path: String, patience: Duration) {
    self.path = path
    // All reasons, each with the greatest count, take a quarter of it.
    file = SmallFile(path: path, maximumSize: 4096, durability: .ordered, patience: patience)
  }

  /// Reads the totals.
  ///
  /// - Throws: ``ReceiverFileError``.
  public func read() throws(ReceiverFileError) -> ReceptionCounts {
    let bytes: [UInt8]?
    do throws(FileError) { bytes = try file.read() } catch { throw ReceiverFileError(error) }
    guard let bytes else { throw .missing }
    return try Self.decode(bytes)
  }

  /// Counts a push.
  public func observe(_ report: ReceptionReport) {
    try? file.update(overTooLarge: true) { (old) throws(FileError) in
      var counts = ReceptionCounts(from: report.time)
      do throws(ReceiverFileError) {
        if let old { counts = try Self.decode(old) }
      } catch .laterVersion {
        return (nil, ())
      } catch {}
      switch report.outcome {
      case .opened, .openedOther: counts.addOpened()
      case .degraded(let reason): counts.addDegraded(reason.rawValue)
      }
      return (Self.encode(counts), ())
    }
  }

  private static func encode(_ counts: ReceptionCounts) -> [UInt8] {
    var object: JSONObject = ["v": .number(JSONNumber(version))]
    for (name, value) in counts.members { object[name] = value }
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  private static func decode(_ bytes: [UInt8]) throws(ReceiverFileError) -> ReceptionCounts {
    guard let object = try? JSONObject(parsing: bytes.span), let version = object["v"]?.number?.integer,
      version >= Self.version
    else { throw .damaged }
    guard version == Self.version else { throw .laterVersion }
    let counts = ReceptionCounts(members: object)
    guard counts.firstDay != nil else { throw .damaged }
    return counts
  }
}
