internal import PushCore

/// How a diagnostics log is written: one JSON object, with a line for each entry.
///
/// ```
/// {"v":1,"lastOpened":{"time":1700000300,"message":"0b67…","suite":"xwing-aesgcm","count":12},
/// "formats":[{"name":"openssl-salted","time":1700000250,"opened":3,"failed":0,"over":0}],"entries":[
/// {"time":1700000000,"reason":"unknown-key","key":"q83vEjRWeJA"},
/// {"time":1700000100,"step":"avatar","failure":"late"},
/// {"time":1700000200,"note":"replay-not-checked","key":"q83vEjRWeJA","message":"6fa4…"}
/// ]}
/// ```
///
/// Times are Unix seconds, keys as `KeyID` writes them, messages UUIDs, suites their names. Unknown values are left
/// out, `lastOpened` and `formats` too. Every version has `v`; a reader ignores members that it does not know.
enum DiagnosticsLogFormat {
  private static let version: Int64 = 1

  /// More bytes than an entry takes: three words with every character escaped, a time and two IDs.
  private static let entrySize = 640

  /// The most bytes of a log with this many entries.
  static func size(of count: Int) -> Int { (count + 1 + DiagnosticsRecord.maximumFormatCount) * entrySize }

  /// Writes a log.
  static func encode(_ record: DiagnosticsRecord) -> [UInt8] {
    var head: JSONObject = ["v": .number(JSONNumber(version))]
    if let last = record.lastOpened {
      var object: JSONObject = [
        "time": .number(JSONNumber(last.time.seconds)), "message": .string(last.messageID.text),
      ]
      object["suite"] = last.suite.map { .string($0.name) }
      object["count"] = .number(JSONNumber(last.count))
      head["lastOpened"] = .object(object)
    }
    if !record.formats.isEmpty {
      head["formats"] = .array(record.formats.map { .object(object(of: $0)) })
    }
    var bytes = head.encoded().dropLast() + Array(#","entries":["#.utf8)
    for (index, entry) in record.entries.enumerated() {
      bytes += Array(index == 0 ? "\n".utf8 : ",\n".utf8)
      bytes += object(of: entry).encoded()
    }
    return Array(bytes) + Array("\n]}\n".utf8)
  }

  /// Reads a log.
  ///
  /// - Throws: ``ReceiverFileError/damaged``, ``ReceiverFileError/laterVersion``.
  static func decode(_ bytes: Span<UInt8>) throws(ReceiverFileError) -> DiagnosticsRecord {
    guard let object = try? JSONObject(parsing: bytes), let version = object["v"]?.number?.integer,
      version >= Self.version
    else { throw .damaged }
    guard version == Self.version else { throw .laterVersion }
    guard let values = object["entries"]?.array else { throw .damaged }
    let entries = values.compactMap { $0.object.flatMap(entry) }
    guard entries.count == values.count else { throw .damaged }
    let formats = try formats(of: object)
    guard let value = object["lastOpened"] else {
      return DiagnosticsRecord(formats: formats, entries: entries)
    }
    guard let lastOpened = value.object.flatMap(lastOpened) else { throw .damaged }
    return DiagnosticsRecord(lastOpened: lastOpened, formats: formats, entries: entries)
  }

  private static func object(of entry: DiagnosticsEntry) -> JSONObject {
    var object: JSONObject = ["time": .number(JSONNumber(entry.time.seconds))]
    switch entry.event {
    case .degraded(let reason): object["reason"] = .string(reason)
    case .stepFailed(let step, let failure):
      object["step"] = .string(step)
      object["failure"] = .string(failure)
    case .noted(let note): object["note"] = .string(note)
    }
    object["format"] = entry.format.map { .string($0) }
    object["fault"] = entry.formatFault.map { .string($0) }
    object["key"] = entry.keyID.map { .string($0.text) }
    object["message"] = entry.messageID.map { .string($0.text) }
    return object
  }

  /// Reads an entry; nil if the object is not one.
  private static func entry(of object: JSONObject) -> DiagnosticsEntry? {
    guard let time = time(of: object), let event = event(of: object) else { return nil }
    let (key, message) = (object["key"]?.string, object["message"]?.string)
    let (keyID, messageID) = (key.flatMap { try? KeyID($0) }, message.flatMap { try? MessageID($0) })
    guard (keyID == nil) == (object["key"] == nil), (messageID == nil) == (object["message"] == nil) else {
      return nil
    }
    let (format, fault) = (object["format"]?.string, object["fault"]?.string)
    guard (format == nil) == (object["format"] == nil), (fault == nil) == (object["fault"] == nil) else {
      return nil
    }
    return DiagnosticsEntry(
      time: time, event: event, keyID: keyID, messageID: messageID, format: format, formatFault: fault)
  }

  private static func event(of object: JSONObject) -> DiagnosticsEntry.Event? {
    switch (object["reason"], object["step"], object["failure"], object["note"]) {
    case (.string(let reason)?, nil, nil, nil): .degraded(reason: reason)
    case (nil, .string(let step)?, .string(let failure)?, nil): .stepFailed(step: step, failure: failure)
    case (nil, nil, nil, .string(let note)?): .noted(note)
    default: nil
    }
  }

  private static func formats(
    of object: JSONObject
  ) throws(ReceiverFileError) -> [FormatCount] {
    guard let value = object["formats"] else { return [] }
    guard let values = value.array, values.count <= DiagnosticsRecord.maximumFormatCount else {
      throw .damaged
    }
    let counts = values.compactMap { $0.object.flatMap(formatCount) }
    guard counts.count == values.count else { throw .damaged }
    return counts
  }

  private static func formatCount(of object: JSONObject) -> FormatCount? {
    guard let time = time(of: object), let name = object["name"]?.string,
      let opened = count(in: object, name: "opened"),
      let failed = count(in: object, name: "failed"), let expired = count(in: object, name: "over")
    else { return nil }
    return FormatCount(
      name: DiagnosticsEntry.printable(name), time: time, opened: opened, failed: failed, expired: expired)
  }

  private static func count(in object: JSONObject, name: String) -> Int? {
    object[name]?.number?.integer.flatMap(Int.init(exactly:)).flatMap { $0 >= 0 ? $0 : nil }
  }

  private static func object(of count: FormatCount) -> JSONObject {
    [
      "name": .string(count.name), "time": .number(JSONNumber(count.time.seconds)),
      "opened": .number(JSONNumber(count.opened)), "failed": .number(JSONNumber(count.failed)),
      "over": .number(JSONNumber(count.expired)),
    ]
  }

  private static func lastOpened(of object: JSONObject) -> DiagnosticsRecord.LastOpened? {
    guard let time = time(of: object),
      let message = object["message"]?.string.flatMap({ try? MessageID($0) }),
      let count = object["count"]?.number?.integer.flatMap(Int.init(exactly:)), count > 0
    else { return nil }
    // Absent from a log of an earlier version; one of a later version may have a name that is not known here.
    let suite = object["suite"]?.string.flatMap(Suite.init(name:))
    guard object["suite"] == nil || object["suite"]?.string != nil else { return nil }
    return DiagnosticsRecord.LastOpened(time: time, messageID: message, suite: suite, count: count)
  }

  private static func time(of object: JSONObject) -> UnixTime? {
    object["time"]?.number?.integer.flatMap(UnixTime.init(seconds:))
  }
}
