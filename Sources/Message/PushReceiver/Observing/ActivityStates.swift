internal import PushCore
internal import PushFiles

/// The newest state of each Live Activity, so that an older one that comes again is not shown.
///
/// A state is opened each time that a widget is drawn, so it is in no replay store, and whoever carries pushes could deliver an
/// old one: yesterday's score. A widget's view has no memory of its own. This file has one: the time of the newest state of each
/// activity, and its envelope, which is ciphertext. It belongs into the folder that the app shares with its widget.
public struct ActivityStates: Sendable {
  /// The most activities: those that changed last.
  public static let maximumCount = 16

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let file: SmallFile

  /// Takes a path, without touching the file yet.
  public init(path: String) {
    self.path = path
    file = SmallFile(
      path: path, maximumSize: (Self.maximumCount + 1) * (Envelope.maximumTextSize + 512),
      durability: .ordered)
  }

  /// Opens the newest state of an activity: this one, or a newer one that was opened before.
  ///
  /// `activity` is the activity's ID, `context.activityID` in a widget. States are ordered by the time at which the sender issued
  /// them; of several in one second, the one that comes last is shown. If this one does not open, it is the newest that was opened
  /// before and still opens. If the file cannot be read or written, or a later version wrote it, the state is opened as it is.
  ///
  /// - Throws: ``DegradeReason``, for the first check that this state fails, if there is no other.
  public func open(
    _ envelope: String, of activity: String, with receiver: Receiver
  ) throws(DegradeReason) -> OpenedMessage {
    let opened: Result<OpenedMessage, DegradeReason>
    do throws(DegradeReason) {
      opened = .success(try receiver.openData(.text(envelope), as: .liveActivity))
    } catch {
      opened = .failure(error)
    }
    let time = (try? opened.get())?.opened.claims.issuedAt
    let newer = newer(than: time, of: activity, orKeep: time == nil ? nil : envelope)
    guard let newer, let message = try? receiver.openData(.text(newer), as: .liveActivity) else {
      return try opened.get()
    }
    return message
  }

  /// The envelope of a state that is newer than `time`; keeps `envelope` if there is none.
  private func newer(than time: UnixTime?, of activity: String, orKeep envelope: String?) -> String? {
    let name = String(activity.prefix(128))
    let result = try? file.update(overTooLarge: true) { (old) throws(FileError) -> ([UInt8]?, String?) in
      var states: [ActivityStatesFormat.State] = []
      do throws(ReceiverFileError) {
        if let old { states = try ActivityStatesFormat.decode(old) }
      } catch .laterVersion {
        return (nil, nil)
      } catch {}
      let known = states.first { $0.activity == name }
      if let known, time.map({ known.time > $0 }) ?? true { return (nil, known.envelope) }
      guard let time, let envelope, known?.envelope != envelope else { return (nil, nil) }
      states.removeAll { $0.activity == name }
      states.append(.init(activity: name, time: time, envelope: envelope))
      return (ActivityStatesFormat.encode(states.suffix(Self.maximumCount)), nil)
    }
    return result ?? nil
  }
}

/// How states are written: one JSON object, the activity that changed last at the end.
private enum ActivityStatesFormat {
  struct State {
    let activity: String
    let time: UnixTime
    let envelope: String
  }

  private static let version: Int64 = 1

  static func encode(_ states: ArraySlice<State>) -> [UInt8] {
    let values = states.map { state -> JSONValue in
      .object([
        "activity": .string(state.activity), "time": .number(JSONNumber(state.time.seconds)),
        "envelope": .string(state.envelope),
      ])
    }
    let object: JSONObject = ["v": .number(JSONNumber(version)), "states": .array(values)]
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  /// Reads states.
  ///
  /// - Throws: ``ReceiverFileError/damaged``, ``ReceiverFileError/laterVersion``.
  static func decode(_ bytes: [UInt8]) throws(ReceiverFileError) -> [State] {
    guard let object = try? JSONObject(parsing: bytes.span), let version = object["v"]?.number?.integer,
      version >= Self.version
    else { throw .damaged }
    guard version == Self.version else { throw .laterVersion }
    guard let values = object["states"]?.array else { throw .damaged }
    return values.compactMap { value in
      guard let state = value.object, let activity = state["activity"]?.string,
        let time = state["time"]?.number?.integer.flatMap(UnixTime.init(seconds:)),
        let envelope = state["envelope"]?.string, envelope.utf8.count <= Envelope.maximumTextSize
      else { return nil }
      return State(activity: activity, time: time, envelope: envelope)
    }
  }
}
