internal import PushCore

/// How a sealer handles a message that is too long for APNs.
public struct Fitting: Hashable, Sendable {
  /// The members to drop, one after another, until the message fits.
  public let drops: [String]

  /// Whether to shorten the body if the message is still too long.
  public let truncatesBody: Bool

  /// The default: rejects the message with an error that has the byte counts.
  public static let reject = Fitting(drops: [], truncatesBody: false)

  /// Truncates the body with "…", never inside a character that a reader sees as one.
  public static let truncateBody = Fitting(drops: [], truncatesBody: true)

  /// Drops members in this order, only as many as necessary; then truncates the body, if allowed; then rejects the
  /// message.
  ///
  /// Name a member by its path: `aps.category`, `aps.alert.subtitle`, or, outside `aps`, by its name alone.
  /// `sealed-push` stands for the attachments. Members that are absent are skipped.
  public static func drop(_ members: [String], thenTruncateBody: Bool = false) -> Fitting {
    Fitting(drops: members, truncatesBody: thenTruncateBody)
  }
}

/// Shortens a payload until it fits.
struct Fitter {
  /// What may be cut.
  let fitting: Fitting

  /// Returns the number of bytes of JSON by which a payload is too long.
  let excess: (JSONObject) -> Int

  /// Returns the payload, shortened no more than necessary, with the cuts; nil if it cannot be made to fit.
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

  /// Returns the longest prefix of whole characters, at least one, that saves `excess` bytes of JSON, its ellipsis
  /// included; nil if there is none.
  private static func truncate(_ body: String, by excess: Int) -> (text: String, kept: Int)? {
    var room = encodedSize(of: body[...]) - excess - ellipsis.utf8.count
    guard room >= 0 else { return nil }
    var end = body.startIndex
    while end < body.endIndex {
      let next = body.index(after: end)
      room -= encodedSize(of: body[end..<next])
      guard room >= 0 else { break }
      end = next
    }
    let kept = body[..<end]
    return kept.isEmpty ? nil : (kept + ellipsis, kept.utf8.count)
  }

  /// The length in JSON, escapes included, without the quotation marks.
  private static func encodedSize(of text: Substring) -> Int {
    JSONValue.string(String(text)).encoded().count - 2
  }
}

extension JSONObject {
  /// The alert's body, in either of its two forms.
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

  /// Removes the member at a path, and returns whether it was there; `aps` itself is never removed.
  fileprivate mutating func removeMember(at path: String) -> Bool {
    if let key = path.removing(prefix: "aps.alert.") {
      guard var aps = self["aps"]?.object, var alert = aps["alert"]?.object else { return false }
      guard alert.removeValue(forKey: key) != nil else { return false }
      aps["alert"] = .object(alert)
      self["aps"] = .object(aps)
      return true
    }
    if let key = path.removing(prefix: "aps.") {
      guard var aps = self["aps"]?.object, aps.removeValue(forKey: key) != nil else { return false }
      self["aps"] = .object(aps)
      return true
    }
    return path != "aps" && removeValue(forKey: path) != nil
  }
}

extension String {
  /// The text without a prefix; nil if it does not have that prefix.
  fileprivate func removing(prefix beginning: String) -> String? {
    hasPrefix(beginning) ? String(dropFirst(beginning.count)) : nil
  }
}
