internal import PushCommands
internal import PushCore
internal import PushCrypto
internal import PushFiles
private import Synchronization

/// The apps of a service, and the signed sets of senders that it gives to them, one an app.
final class ServiceApps: Sendable {
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

  private struct State {
    var sets: [Topic: Entry]
    /// The apps, also those without a set.
    var topics: Set<Topic>
  }

  /// What the options name: files of sets, apps, and a file of routes.
  private let paths: [String]
  private let topics: Set<Topic>
  private let routes: String?
  private let state: Mutex<State>
  /// Gets why a file that has changed could not be read.
  private let report: @Sendable (String) -> Void

  /// More than any signed set, in bytes.
  private static let maximumSize = 1 << 16

  /// Reads the files of `--senders` and `--routes`, and takes the apps of `--topic`.
  init(from arguments: Arguments, report: @escaping @Sendable (String) -> Void) throws(ToolError) {
    paths = arguments.all(.senders)
    guard !paths.contains("-") else { throw .usage("\(Option.senders) must be a file, not standard input") }
    topics = Set(try arguments.all(.topic))
    routes = arguments[.routes]
    state = Mutex(try Self.read(paths: paths, topics: topics, routes: routes))
    self.report = report
  }

  /// Reads the files again, if there is one of routes; if that fails, what was read before stays.
  func readAgain() throws(ToolError) {
    guard routes != nil else { return }
    let new = try Self.read(paths: paths, topics: topics, routes: routes)
    state.withLock { $0 = new }
  }

  private static func read(
    paths: [String], topics: Set<Topic>, routes: String?
  ) throws(ToolError) -> State {
    let file = try routes.map { (path) throws(ToolError) in try RoutesFile(path: path) }
    var sets: [Topic: Entry] = [:]
    for path in paths + (file?.entries.flatMap(\.senderSets) ?? []) {
      let (topic, stamp, served) = try read(path)
      guard sets[topic].map({ $0.path == path }) ?? true else {
        throw ToolError(.badData, "\(path) is for \(topic), like another file of signed sets")
      }
      sets[topic] = Entry(path: path, stamp: stamp, served: served)
    }
    let all = topics.union(sets.keys).union(file?.topics ?? [])
    guard !all.isEmpty else {
      throw .usage(
        "give the apps: \(Option.senders) with their sets, \(Option.topic), or \(Option.routes) with a file that names them"
      )
    }
    return State(sets: sets, topics: all)
  }

  /// Whether the service is for an app.
  func contains(_ topic: Topic) -> Bool { state.withLock { $0.topics.contains(topic) } }

  /// An app's set, from its file if that has changed; nil if the app has none.
  func served(for topic: Topic) -> Served? {
    state.withLock { state in
      guard let entry = state.sets[topic] else { return nil }
      let stamp = FileStatus(at: entry.path, isFollowingLinks: true)?.stamp
      guard stamp != entry.stamp else { return entry.served }
      state.sets[topic]?.stamp = stamp
      do throws(ToolError) {
        let new = try Self.read(entry.path)
        guard new.topic == topic else { throw ToolError(.badData, "\(entry.path) is for \(new.topic)") }
        state.sets[topic]?.served = new.served
      } catch {
        report(error.message)
      }
      return state.sets[topic]?.served
    }
  }

  /// Reads the set in the last line of a file, the newest; apps verify it, as they have the roots.
  private static func read(
    _ path: String
  ) throws(ToolError) -> (topic: Topic, stamp: FileStamp?, served: Served) {
    // Before the contents: if the file changes in between, it is read again.
    let stamp = FileStatus(at: path, isFollowingLinks: true)?.stamp
    let lines = try FileInput.read(from: path).split(separator: UInt8(ascii: "\n"))
    let text = Array(lines.last ?? [])
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
