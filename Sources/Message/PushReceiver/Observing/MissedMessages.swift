internal import PushCore
internal import PushFiles

/// Says once after each start of the phone that messages may have come that cannot be read before it is unlocked.
///
/// Before the first unlock no key can be read, and APNs keeps one push for an app while a phone is off. So the first push then
/// stands for an unknown number of messages: an extension shows one notice for all of them, and nothing for the others. The file
/// belongs where ``KeptEnvelopes`` are, in a folder without protection.
public struct MissedMessages: Sendable {
  /// The path, absolute or relative to the process's working folder.
  public let path: String

  private let file: SmallFile

  private static let version: Int64 = 1

  /// Takes a path, without touching the file yet.
  public init(path: String) {
    self.path = path
    file = SmallFile(path: path, maximumSize: 1024, durability: .ordered)
  }

  /// Whether this is the first call since the phone started, in whatever process; `boot` names the start, such as
  /// `BootSession.current`.
  ///
  /// It is true, too, if `boot` is empty, or if the file cannot be read or written: a notice too many is better than none.
  public func isFirst(since boot: String) -> Bool {
    // The system does not tell its starts apart.
    guard !boot.isEmpty else { return true }
    let name = String(boot.prefix(128))
    let isKnown = try? file.update(overTooLarge: true) { (old) throws(FileError) in
      let bytes = old ?? []
      let known = (try? JSONObject(parsing: bytes.span))?["boot"]?.string
      guard known != name else { return (nil, true) }
      let object: JSONObject = ["v": .number(JSONNumber(Self.version)), "boot": .string(name)]
      return (object.encoded() + [UInt8(ascii: "\n")], false)
    }
    return isKnown != true
  }
}
