internal import PushCommands
internal import PushCore
internal import PushFiles

/// A file of routes: which key is for which apps, who signs for them, and through which proxy their pushes go.
///
/// It is a JSON object, `{"routes":[{"team_id":…,"key_file":…}]}`. It names files, and has no secret itself. Their paths are
/// relative to its folder.
struct RoutesFile: Sendable {
  /// An entry of the file.
  struct Entry: Sendable {
    /// Where it is, for an error: `routes.json, routes[2]`.
    let place: String
    let teamID: String
    /// The key's ID; nil if the name of the key's file has it.
    let keyID: String?
    /// The file of the team's key.
    let keyFile: String
    /// The apps; nil for those that no other entry names.
    let topics: Set<Topic>?
    let environments: Set<APNsEnvironment>
    let proxy: Proxy
    /// The sender's private key file; nil for that of `--from`.
    let sender: String?
    /// The files of the apps' signed sets of senders, one a file.
    let senderSets: [String]
  }

  /// What an entry says of a proxy.
  enum Proxy: Sendable {
    /// Nothing: the one of `--proxy` or the environment.
    case usual
    case none
    /// A URL without a user.
    case url(String)
    /// A file whose line is a URL, which may have a user and a password.
    case file(String)
  }

  /// The longest file, in bytes.
  private static let maximumSize = 1 << 20

  /// The most entries.
  private static let maximumCount = 256

  /// Where it is.
  let path: String

  let entries: [Entry]

  /// The apps that entries name.
  var topics: Set<Topic> { entries.reduce(into: []) { $0.formUnion($1.topics ?? []) } }

  /// Reads a file, which only its owner and root may be able to change: it says whose key is shown to whom.
  init(path: String) throws(ToolError) {
    guard path != "-" else { throw .usage("\(Option.routes) must be a file, not standard input") }
    let bytes = try TrustedFile.read(
      from: path, atMost: Self.maximumSize, namedBy: "\(Option.routes)",
      insteadOfOthers: "use a copy that is yours")
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: bytes.span)
    } catch {
      throw ToolError(.badData, "\(path): not strict JSON: \(error)")
    }
    let file = Part(object: object, place: path)
    try file.allow(["routes"])
    guard let values = object["routes"]?.array, (1...Self.maximumCount).contains(values.count) else {
      throw file.wrong("routes", "an array of 1 to \(Self.maximumCount) objects")
    }
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    var entries: [Entry] = []
    for (number, value) in values.enumerated() {
      guard let object = value.object else { throw file.wrong("routes[\(number)]", "an object") }
      entries.append(try Entry(Part(object: object, place: "\(path), routes[\(number)]"), in: folder))
    }
    (self.path, self.entries) = (path, entries)
  }
}

extension RoutesFile.Entry {
  private static let members: Set = [
    "team_id", "key_id", "key_file", "topics", "environments", "proxy", "proxy_file", "sender", "senders",
  ]

  fileprivate init(_ part: Part, in folder: String) throws(ToolError) {
    try part.allow(Self.members)
    place = part.place
    guard let teamID = try part.text("team_id") else { throw part.wrong("team_id", "given") }
    guard let keyFile = try part.path("key_file", in: folder) else { throw part.wrong("key_file", "given") }
    (self.teamID, self.keyFile) = (teamID, keyFile)
    keyID = try part.text("key_id")
    topics = try part.texts("topics", rule: "an array of bundle IDs") { try? Topic($0) }.map(Set.init)
    let environments = try part.texts("environments", rule: "an array of production and sandbox") {
      APNsEnvironment(rawValue: $0)
    }
    self.environments = Set(environments ?? APNsEnvironment.allCases)
    switch (try part.text("proxy"), try part.path("proxy_file", in: folder)) {
    case (nil, nil): proxy = .usual
    case ("none", nil): proxy = .none
    case (let url?, nil): proxy = .url(url)
    case (nil, let path?): proxy = .file(path)
    case (_?, _?): throw part.wrong("proxy_file", "left out where proxy is given")
    }
    sender = try part.path("sender", in: folder)
    let sets = try part.texts("senders", rule: "an array of file names") { $0.isEmpty ? nil : $0 }
    senderSets = (sets ?? []).map { Part.path($0, in: folder) }
  }
}

/// An object of the file, and where it is.
private struct Part {
  let object: JSONObject
  let place: String

  func wrong(_ member: String, _ rule: String) -> ToolError {
    ToolError(
      .badData, "\(place): \(member) must be \(rule)",
      hint: "Documentation/Operating/Workers.md describes the file")
  }

  /// Throws if there is a member that is not known: it would be one that is misspelt.
  func allow(_ members: Set<String>) throws(ToolError) {
    guard let unknown = object.keys.first(where: { !members.contains($0) }) else { return }
    throw ToolError(
      .badData, "\(place): there is no member '\(unknown.printable)'",
      hint: "its members are \(members.sorted().joined(separator: ", "))")
  }

  func text(_ member: String) throws(ToolError) -> String? {
    guard let value = object[member] else { return nil }
    guard let text = value.string, !text.isEmpty else { throw wrong(member, "a string that is not empty") }
    return text
  }

  func path(_ member: String, in folder: String) throws(ToolError) -> String? {
    try text(member).map { Self.path($0, in: folder) }
  }

  static func path(_ path: String, in folder: String) -> String { path.hasPrefix("/") ? path : folder + path }

  /// The elements of an array of strings, of which there must be one; nil if the member is missing.
  func texts<Value>(
    _ member: String, rule: String, _ read: (String) -> Value?
  ) throws(ToolError) -> [Value]? {
    guard let value = object[member] else { return nil }
    guard let elements = value.array, !elements.isEmpty else { throw wrong(member, rule) }
    return try elements.map { (element) throws(ToolError) in
      guard let text = element.string, let value = read(text) else { throw wrong(member, rule) }
      return value
    }
  }
}

extension Option<String> {
  static var routes: Self { Self("--routes", "FILE", file: .input) }
}
