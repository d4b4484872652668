internal import PushPayload

/// What a sealer does with a message that is too long for APNs.
public struct Fitting: Hashable, Sendable {
  /// The members to leave out, one after another, until it fits.
  public let drops: [String]

  /// Whether the body is shortened if it is still too long.
  public let truncatesBody: Bool

  /// Refuses the message, with the byte counts: the default.
  public static let reject = Fitting(drops: [], truncatesBody: false)

  /// Ends the body early, with "…", between two characters as a reader sees them.
  public static let truncateBody = Fitting(drops: [], truncatesBody: true)

  /// Leaves members out, in this order and no more than it takes; then shortens the body, if that is allowed; then
  /// refuses.
  ///
  /// A member is named by its path: `aps.category`, `aps.alert.subtitle`, or, beside `aps`, its name alone;
  /// `sealed-push` is the attachments. One that is not there is passed over.
  public static func drop(_ members: [String], thenTruncateBody: Bool = false) -> Fitting {
    Fitting(drops: members, truncatesBody: thenTruncateBody)
  }
}

/// What was left out of a message to make it fit.
public enum Cut: Hashable, Sendable {
  /// A member, by its path.
  case dropped(String)

  /// The body's end: so many bytes of its UTF-8 were kept, of so many.
  case truncatedBody(kept: Int, of: Int)
}

/// Makes a payload fit.
struct Fitter {
  /// What may be done.
  let fitting: Fitting

  /// How many bytes of JSON a payload is too long by.
  let excess: (JSONObject) -> Int

  /// The payload, as little shortened as it takes, and what was cut; null if it does not fit.
  func fit(_ payload: JSONObject) -> (payload: JSONObject, cuts: [Cut])? {
    var payload = payload
    var cuts: [Cut] = []
    for path in fitting.drops where excess(payload) > 0 {
      if payload.removeMember(at: path) { cuts.append(.dropped(path)) }
    }
    let excess = excess(payload)
    guard excess > 0 else { return (payload, cuts) }
    guard fitting.truncatesBody, let body = payload.body,
      let shorter = Self.truncate(body, by: excess)
    else { return nil }
    payload.body = shorter.text
    return (payload, cuts + [.truncatedBody(kept: shorter.kept, of: body.utf8.count)])
  }

  private static let ellipsis = "…"

  /// The longest beginning of whole characters, one at least, that is shorter in JSON by `excess` bytes with an
  /// ellipsis behind it; null if there is none.
  private static func truncate(_ body: String, by excess: Int) -> (text: String, kept: Int)? {
    var room = encodedSize(body[...]) - excess - ellipsis.utf8.count
    guard room >= 0 else { return nil }
    var end = body.startIndex
    while end < body.endIndex {
      let next = body.index(after: end)
      room -= encodedSize(body[end..<next])
      guard room >= 0 else { break }
      end = next
    }
    let kept = body[..<end]
    return kept.isEmpty ? nil : (kept + ellipsis, kept.utf8.count)
  }

  /// The length in JSON, escapes included, without the quotation marks.
  private static func encodedSize(_ text: Substring) -> Int {
    JSONValue.string(String(text)).encoded().count - 2
  }
}

extension JSONObject {
  /// The alert's body, in either of its places.
  fileprivate var body: String? {
    get {
      let alert = self["aps"]?.object?["alert"]
      return alert?.string ?? alert?.object?["body"]?.string
    }
    set {
      guard let newValue, var aps = self["aps"]?.object else { return }
      if var alert = aps["alert"]?.object {
        alert["body"] = .string(newValue)
        aps["alert"] = .object(alert)
      } else {
        aps["alert"] = .string(newValue)
      }
      self["aps"] = .object(aps)
    }
  }

  /// Takes the member at a path out, and says whether it was there; never `aps` itself.
  fileprivate mutating func removeMember(at path: String) -> Bool {
    if let key = path.removing("aps.alert.") {
      guard var aps = self["aps"]?.object, var alert = aps["alert"]?.object else { return false }
      guard alert.removeValue(forKey: key) != nil else { return false }
      aps["alert"] = .object(alert)
      self["aps"] = .object(aps)
      return true
    }
    if let key = path.removing("aps.") {
      guard var aps = self["aps"]?.object, aps.removeValue(forKey: key) != nil else { return false }
      self["aps"] = .object(aps)
      return true
    }
    return path != "aps" && removeValue(forKey: path) != nil
  }
}

extension String {
  /// What follows a beginning; null if it begins otherwise.
  fileprivate func removing(_ beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
