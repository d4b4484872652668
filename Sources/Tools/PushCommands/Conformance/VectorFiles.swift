import PushCore
import PushFiles

/// The vectors of a folder as questions to an opener.
struct VectorFiles {
  /// A vector, and what the right answer is.
  struct Question {
    /// The vector's file and name.
    let file: String, id: String
    /// The rule that the vector breaks; nil if it breaks none.
    let rule: String?
    /// The suite of an intact envelope, if not every system's libraries have that suite.
    let rareSuite: String?
    /// What the opener may say that it does not know; nil if it must answer.
    let kindToSkip: String?
    /// What the opener is asked.
    let line: JSONObject
    /// The content, the result, or the reason.
    let expected: Answer
    /// What else the answer may have, and is then: what is shown, and what is heeded.
    var more: JSONObject = [:]
  }

  /// An opener's answer.
  enum Answer: Equatable {
    /// The content's text.
    case opened(String)
    /// What comes of something that is not refused and is no message to show.
    case result(String)
    /// Why it does not open, or is refused.
    case reason(String)
  }

  /// The questions, in the order of the files.
  var questions: [Question] = []
  /// How many vectors are not sent to an opener, because their deadline is 0.
  private(set) var unasked = 0

  /// Reads the files of vectors that test opening, and with `all` also those of what is signed, of sets and of the memory.
  init(folder: String, all: Bool = false) throws(ToolError) {
    let keys = try Self.read(from: "\(folder)/keys.json")
    let shared = try Self.read(from: "\(folder)/shared.json")
    var ring: JSONObject = [
      "keys": keys["device"] ?? .null, "senders": Self.publicHalf(of: keys["sender"]),
      "shared": shared["keys"] ?? .null,
    ]
    for file in ["opened", "degraded", "data", "push-types", "callers"] {
      try append(try Self.read(from: "\(folder)/\(file).json")["vectors"], from: file, as: file, ring: ring)
    }
    for list in ["opened", "degraded", "data"] {
      try append(shared[list], from: "shared", as: list, ring: ring)
    }
    let accounts = try Self.read(from: "\(folder)/accounts.json")
    for list in ["opened", "degraded", "data"] {
      try append(accounts[list], from: "accounts", as: list, ring: ring)
    }
    let edges = try Self.read(from: "\(folder)/edges.json")
    let edgeKeys = edges["keys"]?.object ?? [:]
    let edgeRing: JSONObject = [
      "keys": edgeKeys["device"] ?? .null, "senders": Self.publicHalf(of: edgeKeys["sender"]),
    ]
    for list in ["opened", "degraded"] { try append(edges[list], from: "edges", as: list, ring: edgeRing) }
    let xwing = try Self.read(from: "\(folder)/xwing.json")
    ring["keys"] = xwing["keys"] ?? .null
    for list in ["opened", "degraded", "data"] {
      try append(xwing[list], from: "xwing", as: list, ring: ring)
    }
    guard all else { return }
    ring["keys"] = keys["device"] ?? .null
    ring["shared"] = nil
    let fcm = try Self.read(from: "\(folder)/fcm.json")
    for list in ["opened", "degraded", "data"] { try append(fcm[list], from: "fcm", as: list, ring: ring) }
    let signed = try Self.read(from: "\(folder)/signed.json")
    ring["roots"] = signed["roots"]
    let files = [
      "signed": signed, "xwing": xwing, "fcm": fcm, "memory": try Self.read(from: "\(folder)/memory.json"),
      "sets": try Self.read(from: "\(folder)/sets.json"),
    ]
    for kind in Kind.all { try append(files[kind.file]?[kind.list], as: kind, ring: ring) }
  }

  private mutating func append(
    _ list: JSONValue?, from file: String, as kind: String, ring: JSONObject
  ) throws(ToolError) {
    guard let vectors = list?.array else { throw ToolError(.badData, "\(file).json has no vectors") }
    for vector in vectors {
      guard let vector = vector.object, let id = vector["id"]?.string, let expect = vector["expect"]?.string,
        let payload = vector["payload"]?.string
      else { throw ToolError(.badData, "\(file).json has an invalid vector") }
      guard vector["deadline"] == nil else {
        unasked += 1
        continue
      }
      let pushType = vector["pushType"]?.string
      let isData = kind == "data" || kind == "push-types" || pushType == "fcm-data"
      var line: JSONObject = ["id": .string(id), "as": isData ? "data" : "notification"]
      for name in ["topic", "now", "after", "locked", "lacks", "accounts"] { line[name] = vector[name] }
      if isData {
        // A notification among the data is in place of data.
        let inPlace = ["alert": "background", "fcm": "fcm-data"]
        line["pushType"] = pushType.map { .string(inPlace[$0] ?? $0) }
      }
      if vector["shown"] != nil { line["shown"] = true }
      line["accepts"] = vector["accepts"] ?? ["suites": Self.suites(of: file), "anonymous": true]
      for (name, value) in ring where name != "shared" || file == "shared" { line[name] = value }
      line["payload"] = .string(payload)
      let expected = vector["content"]?.string.map(Answer.opened)
      var more: JSONObject = [:]
      for name in ["shown", "heeds"] { more[name] = vector[name] }
      questions.append(
        Question(
          file: file, id: id, rule: vector["rule"]?.string,
          rareSuite: Self.rareSuite(of: payload), kindToSkip: file == "fcm" ? "fcm" : nil, line: line,
          expected: expect == "opened" ? expected ?? .opened("") : .reason(expect), more: more))
    }
  }

  /// A truncated envelope is malformed everywhere; an intact one is `unsupported-suite` where a system lacks the suite.
  private static func rareSuite(of payload: String) -> String? {
    guard let text = (try? JSONObject(parsing: Array(payload.utf8).span))?["ENCRYPTED_DATA"]?.string,
      let suite = (try? Envelope(decoding: text))?.suite
    else { return nil }
    return suite == .xwingAESGCM ? suite.name : nil
  }

  /// The public half of a sender's set, which is what an opener has of it.
  private static func publicHalf(of set: JSONValue?) -> JSONValue {
    guard var set = set?.object, let keys = set["keys"]?.array else { return .null }
    set["keys"] = .array(
      keys.map { key in
        guard var key = key.object else { return key }
        key["d"] = nil
        return .object(key)
      })
    return .object(set)
  }

  private static func suites(of file: String) -> JSONValue {
    let more: [String: Suite] = ["shared": .sharedChaChaPoly, "xwing": .xwingAESGCM]
    let suites = [.x25519ChaChaPoly, .p256AESGCM] + [more[file]].compactMap(\.self)
    return .array(suites.map { .string($0.name) })
  }

  /// Much more than any file of vectors has: 16 MiB.
  private static let maximumSize = 1 << 24

  private static func read(from path: String) throws(ToolError) -> JSONObject {
    let file = try FileInput.open(path)
    let bytes: [UInt8]
    do throws(FileError) {
      bytes = try file.readToEnd(atMost: maximumSize)
    } catch {
      throw FileFailure.reading(error, from: path)
    }
    do throws(JSONError) {
      return try JSONObject(parsing: bytes.span, maximumDepth: 128)
    } catch {
      throw ToolError(.badData, "\(path) is \(JSONFailure.describe(error, in: bytes))")
    }
  }
}
