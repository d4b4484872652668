internal import PushCommands
internal import PushCore
internal import PushCrypto
internal import PushFiles
private import Synchronization

/// The signed sets of senders that a service gives to apps, one an app.
final class ServedSenders: Sendable {
  /// A set as it is served.
  struct Served {
    let text: [UInt8]
    /// The entity tag: it changes with the text.
    let tag: String
  }

  /// A file, and what was read from it last.
  private struct Entry {
    let path: String
    var stamp: FileStamp?
    var served: Served
  }

  private let entries: Mutex<[Topic: Entry]>
  /// Gets why a file that has changed could not be read.
  private let report: @Sendable (String) -> Void

  /// More than any signed set, in bytes.
  private static let maximumSize = 1 << 16

  /// Reads the files of `--senders`.
  init(from arguments: Arguments, report: @escaping @Sendable (String) -> Void) throws(ToolError) {
    var entries: [Topic: Entry] = [:]
    for path in arguments.all(.senders) {
      guard path != "-" else { throw .usage("\(Option.senders) is a file, not standard input") }
      let (topic, stamp, served) = try Self.read(path)
      guard entries[topic] == nil else {
        throw ToolError(.badData, "\(path) is for \(topic), as another file of \(Option.senders) is")
      }
      entries[topic] = Entry(path: path, stamp: stamp, served: served)
    }
    self.entries = Mutex(entries)
    self.report = report
  }

  /// The apps that have a set.
  var topics: Set<Topic> { entries.withLock { Set($0.keys) } }

  /// An app's set, from its file if that has changed; nil if the app has none.
  func served(for topic: Topic) -> Served? {
    entries.withLock { entries in
      guard let entry = entries[topic] else { return nil }
      let stamp = FileStatus(at: entry.path, isFollowingLinks: true)?.stamp
      guard stamp != entry.stamp else { return entry.served }
      entries[topic]?.stamp = stamp
      do throws(ToolError) {
        let new = try Self.read(entry.path)
        guard new.topic == topic else { throw ToolError(.badData, "\(entry.path) is for \(new.topic)") }
        entries[topic]?.served = new.served
      } catch {
        report(error.message)
      }
      return entries[topic]?.served
    }
  }

  /// Reads a set; apps verify it, as they have the roots.
  private static func read(
    _ path: String
  ) throws(ToolError) -> (topic: Topic, stamp: FileStamp?, served: Served) {
    // Before the contents: if the file changes in between, it is read again.
    let stamp = FileStatus(at: path, isFollowingLinks: true)?.stamp
    var text = try FileInput.read(from: path)
    while text.last == UInt8(ascii: "\n") { text.removeLast() }
    let parts = String(decoding: text, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
    guard text.count <= maximumSize, parts.count == 3, let claims = try? Base64URL.decode(String(parts[1])),
      let object = try? JSONObject(parsing: claims.span), object["exp"] != nil,
      let topic = object["topic"]?.string.flatMap({ try? Topic($0) })
    else {
      throw ToolError(
        .badData, "\(path) is not a signed set of senders", hint: "sealpush keys sign-senders makes one")
    }
    let digest = SHA256.digest(text.span)
    let tag = Base64URL.encode(digest.span)
    return (topic, stamp, Served(text: text, tag: "\"\(tag)\""))
  }
}
