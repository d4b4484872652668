internal import PushCommands
internal import PushCore
internal import PushDelivery
internal import PushKeys
internal import PushWorker

/// The keys with which a worker signs and sends, where the options say that they are.
struct WorkerKeys: Sendable {
  /// Keys as they were read.
  struct Loaded: Sendable {
    let senders: Senders
    /// The keys of the teams; nil if they cannot be read again.
    let apns: APNsKeys?
    /// The routes; nil without a file of them.
    let routes: RoutesFile?
  }

  private let sender: SenderKeys?
  private let routes: String?
  private let passphrase: Passphrase?

  /// Takes what `--from` and `--routes` say.
  init(from arguments: Arguments) throws(ToolError) {
    routes = arguments[.routes]
    sender = routes == nil || arguments.isGiven(SourceOptions.from) ? try SenderKeys(from: arguments) : nil
    passphrase = arguments.passphrase
  }

  /// Whether the keys can be read again: files can, a descriptor cannot.
  var isRereadable: Bool { sender?.isRereadable ?? true }

  /// Whether there is a file of routes.
  var isOfRoutes: Bool { routes != nil }

  /// Where they are, for people.
  var name: String { sender?.name ?? routes ?? "" }

  /// Reads the keys, each sender's of which must have one that signs.
  func load() throws(ToolError) -> Loaded {
    let standard = try sender.map { (sender) throws(ToolError) in try sender.load(at: .now).all }
    guard let path = routes else {
      return Loaded(senders: try Senders([:], of: name, others: standard), apns: nil, routes: nil)
    }
    let file = try RoutesFile(path: path)
    var (read, byTopic): ([String: KeySet], [Topic: KeySet]) = ([:], [:])
    for entry in file.entries {
      guard let path = entry.sender else {
        guard standard != nil else {
          throw ToolError(
            .badData, "\(entry.place): sender is missing",
            hint: "or give \(SourceOptions.from.file) FILE for all of them")
        }
        continue
      }
      guard let topics = entry.topics else {
        throw ToolError(
          .badData, "\(entry.place): sender is given, but topics is not",
          hint: "name the apps, or give \(SourceOptions.from.file) FILE")
      }
      let keys: KeySet
      if let known = read[path] {
        keys = known
      } else {
        keys = try SenderKeys(path: path, passphrase: passphrase).load(at: .now).all
        read[path] = keys
      }
      for topic in topics {
        if let other = byTopic[topic], other.records.map(\.id) != keys.records.map(\.id) {
          throw ToolError(.badData, "\(entry.place): \(topic) has another sender in another route")
        }
        byTopic[topic] = keys
      }
    }
    return Loaded(
      senders: try Senders(byTopic, of: path, others: standard), apns: try APNsKeys(of: file), routes: file)
  }
}

extension Senders {
  fileprivate init(
    _ byTopic: [Topic: KeySet], of path: String, others standard: KeySet?
  ) throws(ToolError) {
    do throws(ConfigurationError) {
      try self.init(byTopic, others: standard)
    } catch {
      throw ToolError(.badData, "\(path): \(error)")
    }
  }
}
