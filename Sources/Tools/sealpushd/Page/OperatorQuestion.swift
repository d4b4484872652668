internal import PushCommands
internal import PushCore
internal import PushNetwork
internal import PushStore

/// What the page asks for: dead letters, or a person's devices.
enum OperatorQuestion {
  case dead(Search, after: JobID?)
  case devices(person: String)

  /// Which dead letters; an empty text stands for all.
  struct Search {
    let messageID, person, topic, reason: String

    /// Whether a dead letter is wanted.
    func matches(_ letter: DeadLetter) -> Bool {
      func isEqual(_ text: String, _ column: JobColumn) -> Bool {
        text.isEmpty || letter[column].map { $0.utf8.elementsEqual(text.utf8) } ?? false
      }
      return isEqual(person, .person) && isEqual(topic, .topic)
        && (messageID.isEmpty || letter[.messageID]?.lowercased() == messageID.lowercased())
        && (reason.isEmpty || letter.reason.lowercased().contains(reason.lowercased()))
    }
  }

  /// How many dead letters are read together; each may have a text of 64 KiB.
  private static let pageSize = 100

  /// How many dead letters a question looks at.
  private static let maximumLooks = 2000

  /// Reads a question: a JSON object with the member `ask`.
  init(parsing members: JSONObject) throws(PlainRefusal) {
    func text(_ name: String) throws(PlainRefusal) -> String {
      let text = members[name]?.string ?? ""
      guard text.utf8.count <= 1000 else { throw .badCommand }
      return text
    }
    switch members["ask"]?.string {
    case "dead":
      let search = Search(
        messageID: try text("message_id"), person: try text("person"), topic: try text("topic"),
        reason: try text("reason"))
      self = .dead(search, after: members["after"]?.number?.integer.map { JobID($0) })
    case "devices":
      let person = try text("person")
      guard !person.isEmpty else { throw .badCommand }
      self = .devices(person: person)
    default: throw .badCommand
    }
  }

  /// What the store says, of at most a hundred rows; `next` or `more` says that there may be others.
  func answer(from store: any Store) async throws(StoreError) -> JSONObject {
    switch self {
    case .dead(let search, let job): try await Self.letters(in: store, search, after: job)
    case .devices(let person): try await Self.devices(of: person, in: store)
    }
  }

  private static func letters(
    in store: any Store, _ search: Search, after job: JobID?
  ) async throws(StoreError) -> JSONObject {
    var (found, last, looks): ([DeadLetter], JobID?, Int) = ([], job, 0)
    var hasMore = true
    while hasMore, looks < maximumLooks, found.count < OperatorView.maximumRows {
      let page = try await store.deadLetters(after: last, atMost: pageSize)
      hasMore = page.count == pageSize
      for letter in page {
        guard found.count < OperatorView.maximumRows else {
          hasMore = true
          break
        }
        (last, looks) = (letter.id, looks + 1)
        if search.matches(letter) { found.append(letter) }
      }
    }
    var object: JSONObject = ["letters": .array(found.map { .object($0.summary) })]
    if hasMore, let last { object["next"] = .number(JSONNumber(last.number)) }
    return object
  }

  private static func devices(of person: String, in store: any Store) async throws(StoreError) -> JSONObject {
    let devices = try await store.devices(of: [person], includingUnreachable: true).first ?? []
    return [
      "devices": .array(devices.prefix(OperatorView.maximumRows).map { .object($0.summary) }),
      "more": .boolean(devices.count > OperatorView.maximumRows),
    ]
  }
}

extension DeadLetter {
  /// What the page shows of it: nothing of what it says.
  fileprivate var summary: JSONObject {
    var object: JSONObject = [
      "job": .number(JSONNumber(id.number)), "died_at": .number(JSONNumber(diedAt.seconds)),
      "attempts": .number(JSONNumber(attempts)), "reason": .string(reason),
      "missing": .number(JSONNumber(missing.count)),
    ]
    for column in [JobColumn.messageID, .person, .topic, .pushType] {
      // A wrong row may have any text.
      object[column.rawValue] = self[column].map { .string(String($0.prefix(300))) }
    }
    return object
  }
}

extension StoredDevice {
  /// What the page shows of it: no token and no key.
  fileprivate var summary: JSONObject {
    var object: JSONObject = [
      "registration": .string(name), "topic": .string(address.topic.text),
      "environment": .string(address.environment.rawValue), "reachable": .boolean(isReachable),
      "token_set_at": .number(JSONNumber(tokenSetAt.seconds)),
    ]
    object["quarantined_at"] = quarantinedAt.map { .number(JSONNumber($0.seconds)) }
    return object
  }
}
