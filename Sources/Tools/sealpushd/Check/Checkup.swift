internal import PushCommands
internal import PushCore
internal import PushDelivery
internal import PushEnrolment
internal import PushFiles
internal import PushKeys
internal import PushNetwork
internal import PushStore
internal import PushWorker
private import Glibc

/// What `check` looks at: everything that a worker or a service needs when it starts.
struct Checkup {
  private enum Purpose {
    case worker, service
  }

  /// How many devices are looked through for the apps to ask about.
  private static let deviceCount = 1000

  /// How many apps are asked about without `--topic`.
  private static let maximumTopics = 16

  private let arguments: Arguments
  private let console: Console
  private let purpose: Purpose
  private let place: StorePlace
  private let isOffline: Bool
  private let environments: [APNsEnvironment]

  /// Reads the options, each of which must be right by itself.
  init(from arguments: Arguments, console: Console) throws(ToolError) {
    self.arguments = arguments
    self.console = console
    place = try StorePlace(from: arguments)
    isOffline = arguments.has(.offline)
    let given = try arguments.all(.environment)
    environments = given.isEmpty ? [.production, .sandbox] : given
    let isService = arguments.isGiven(.secretFile)
    let isWorker =
      arguments.isGiven(.from) || arguments.isGiven(.keyFile) || arguments.isGiven(.routes) && !isService
    guard isService != isWorker else {
      throw .usage(
        "give the options of sealpushd work, or those of sealpushd serve",
        hint: "--from FILE and --key-file FILE are a worker's, --secret-file FILE is a service's")
    }
    purpose = isService ? .service : .worker
    switch purpose {
    case .worker:
      _ = try WorkerConfiguration(from: arguments)
      _ = (try arguments[.stopWithin], try arguments[.timeout], try arguments[.metrics])
      _ = try arguments[.listenAddress]
    case .service:
      _ = try arguments.required(.listen)
      _ = (try arguments[.audience], try arguments[.probes])
      _ = try ServiceIdentity(from: arguments)
    }
  }

  /// Looks at everything.
  func run(reporting facts: inout Facts) async throws(ToolError) {
    switch purpose {
    case .worker: try await lookAtWorker(reporting: &facts)
    case .service: try await lookAtService(reporting: &facts)
    }
  }

  private func lookAtWorker(reporting facts: inout Facts) async throws(ToolError) {
    let keys = try await facts.look(at: "sender", "") { () async throws(ToolError) in
      let keys = try WorkerKeys(from: arguments)
      return ("\(keys.name): \(keys.isOfRoutes ? "each sender's" : "its") active key signs", try keys.load())
    }
    let client = try await facts.look(at: "apns-key", "") { () async throws(ToolError) in
      let client = try await APNsClient(from: arguments, retries: Self.retries, isOffline: isOffline)
      let count = client.keys.all.count
      return (
        count == 1
          ? "the .p8 file can be read, and the key's ID and the team's ID have their forms"
          : "the .p8 files of \(count) routes can be read, and the IDs of keys and teams have their forms",
        client
      )
    }
    defer { client?.shutdown() }
    let store = try await lookAtStore(reporting: &facts)
    var topics = try await lookAtSets(keys?.routes, signedBy: keys?.senders, reporting: &facts)
    topics += try arguments.all(.topic) + (keys?.routes?.topics.sorted { $0.text < $1.text } ?? [])
    if topics.isEmpty { topics = await self.topics(in: store) }
    await close(store)
    try await lookAtRoutes(of: topics.withoutRepeats, by: client, reporting: &facts)
  }

  private func lookAtService(reporting facts: inout Facts) async throws(ToolError) {
    _ = try await facts.look(at: "secret", "") { () async throws(ToolError) in
      _ = try ServiceSecrets(from: arguments)
      return ("\(arguments.all(.secretFile).joined(separator: " and ")) can be read", ())
    }
    if let place = try arguments[.listen], case .path(let path) = place {
      _ = try await facts.look(at: "socket", path) { () async throws(ToolError) in
        try place.checkFolder()
        return ("nobody else can replace \(path)", ())
      }
    }
    await close(try await lookAtStore(reporting: &facts))
    var routes: RoutesFile?
    if let path = arguments[.routes] {
      routes = try await facts.look(at: "routes", path) { () async throws(ToolError) in
        let file = try RoutesFile(path: path)
        return ("\(path): \(file.entries.count) routes and \(file.topics.count) apps", file)
      }
    }
    let topics = try await lookAtSets(routes, signedBy: nil, reporting: &facts)
    guard topics.isEmpty, arguments.all(.senders).isEmpty, try arguments.all(.topic).isEmpty,
      routes?.topics.isEmpty ?? true
    else { return }
    try facts.add(
      .usage("there is no app", hint: "give \(Option.senders) with its set, or \(Option.topic)"),
      about: "senders", "")
  }

  private func close(_ store: (any SealableStore)?) async { await (store as? SQLiteStore)?.close() }

  // MARK: The store

  private func lookAtStore(reporting facts: inout Facts) async throws(ToolError) -> (any SealableStore)? {
    var rowKey: RowKey?
    if let path = arguments[.rowKey] {
      rowKey = try await facts.look(at: "row-key", path) { () async throws(ToolError) in
        ("\(path) is a row key", try arguments.rowKey())
      }.flatMap(\.self)
    }
    switch place {
    case .file(let path) where FileStatus(at: path, isFollowingLinks: true) == nil:
      _ = try await facts.look(at: "store", "") { () async throws(ToolError) in
        try checkFolder(of: path)
        return ("there is no store at \(path) yet; it is made at the first start", ())
      }
      return nil
    case .database where isOffline:
      try facts.skip("store", "", because: "the database is not asked")
      return nil
    case .file, .database:
      return try await facts.look(at: "store", "") { () async throws(ToolError) in
        let store = try await place.open(rowKey: rowKey, console: console)
        _ = try await storing { () async throws(StoreError) in
          // Without its row key, a sealed store gives no device.
          (try await store.oldestReady(), try await store.devices(after: nil, atMost: 1))
        }
        return ("it answers, and its tables have this version", store)
      }
    }
  }

  private func checkFolder(of path: String) throws(ToolError) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard FileStatus(at: folder, isFollowingLinks: true)?.kind == .folder else {
      throw ToolError(
        .cannotCreate, "there is no store at \(path), and no folder to make it in", hint: "make \(folder)")
    }
    guard unsafe access(folder, W_OK | X_OK) == 0 else {
      throw ToolError(
        .cannotCreate, "there is no store at \(path), and this user may not make it",
        hint: "run the check as the worker's user, or let that user write \(folder)")
    }
  }

  /// The apps of the store's first devices.
  private func topics(in store: (any SealableStore)?) async -> [Topic] {
    guard let store, let devices = try? await store.devices(after: nil, atMost: Self.deviceCount) else {
      return []
    }
    return Array(devices.map(\.address.topic).withoutRepeats.prefix(Self.maximumTopics))
  }

  // MARK: The senders' sets

  /// Looks at each file of `--senders` and of the routes, whose newest set must have the key that signs for the app, and
  /// returns their apps.
  private func lookAtSets(
    _ routes: RoutesFile?, signedBy senders: Senders?, reporting facts: inout Facts
  ) async throws(ToolError) -> [Topic] {
    var topics: [Topic] = []
    for path in arguments.all(.senders) + (routes?.entries.flatMap(\.senderSets) ?? []).withoutRepeats {
      let topic = try await facts.look(at: "senders", path) { () async throws(ToolError) in
        guard let set = try SenderSets.read(from: path).max(by: { $0.serial < $1.serial }) else {
          throw ToolError(.badData, "\(path) has no signed set")
        }
        let remedy = "sealpush keys sign-senders makes a new one; hand it out before a worker signs"
        guard set.expiresAt > .now else {
          throw ToolError(.badData, "\(path): the set of \(set.topic) has ended", hint: remedy)
        }
        let key = try? senders?.keys(for: set.topic)?.signingKey(at: .now).publicKey.thumbprint
        if let key, set.keys.record(of: key) == nil {
          throw ToolError(
            .badData,
            "\(path): phones with this set of \(set.topic) do not trust the active key of its sender",
            hint: remedy)
        }
        let end = set.expiresAt.calendarText
        return ("\(path): the set of \(set.topic) is number \(set.serial), and ends at \(end)", set.topic)
      }
      if let topic { topics.append(topic) }
    }
    return topics
  }

  // MARK: APNs

  /// One attempt: a check says what is so now.
  private static var retries: RetryPolicy {
    var retries = RetryPolicy()
    retries.maximumAttempts = 1
    retries.totalTime = .seconds(10)
    retries.patience = .seconds(10)
    retries.actions[.tooManyProviderTokenUpdates] = .end
    return retries
  }

  private func lookAtRoutes(
    of topics: [Topic], by client: APNsClient?, reporting facts: inout Facts
  ) async throws(ToolError) {
    guard !isOffline else { return try facts.skip("route", "", because: "APNs is not asked") }
    guard !topics.isEmpty else {
      return try facts.skip("route", "", because: "there is no app to ask about: give \(Option.topic)")
    }
    guard let client else { return try facts.skip("route", "", because: "the key cannot be used") }
    let questions = topics.flatMap { topic in
      // Where no route has a key, nothing is sent.
      environments.filter { client.keys.key(for: topic, in: $0) != nil }
        .map { RouteQuestion(topic: topic, environment: $0) }
    }
    // Together: where nothing answers, each takes its whole time.
    let answers = await withTaskGroup(of: (Int, Result<String, ToolError>).self) { group in
      for (number, question) in questions.enumerated() {
        group.addTask { (number, await question.answer(of: client)) }
      }
      return await group.reduce(into: [Int: Result<String, ToolError>]()) { $0[$1.0] = $1.1 }
    }
    for (number, question) in questions.enumerated() {
      _ = try await facts.look(at: "route", question.name) { () async throws(ToolError) in
        guard let answer = answers[number] else { preconditionFailure("each question has an answer") }
        return ("\(question.name): \(try answer.get())", ())
      }
    }
  }
}

extension Array where Element: Hashable {
  /// The elements, each at its first place.
  fileprivate var withoutRepeats: [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}

extension Parameter {
  /// The options of a worker and of a service, none of which is required but the store.
  static let checked: [Parameter] = any(
    of: [
      .store, .optional(.topic, "an app to ask APNs about").repeatable(),
      .optional(.senders, "an app's signed sets of senders, which phones have or will get").repeatable(),
      .optional(.listenAddress, "where work or serve listens; check does not listen"),
    ], work, serve)
}
