internal import PushCore

/// Finds what a payload shows that no sealed push shows, at any depth.
struct Exposure {
  /// A member, and what it leaks.
  typealias Leak = (visible: Lint.Visible, key: String)

  /// The leaks; in each object, the known members come first, in the format's order.
  private(set) var leaks: [Leak] = []

  private let placeholderBody: String

  /// Compares a payload with what a sealed push shows, whose placeholder has this body.
  init(of payload: JSONObject, beside members: [OuterMember], placeholderBody: String) {
    self.placeholderBody = placeholderBody
    compare(payload, with: members, at: "")
  }

  private mutating func compare(_ object: JSONObject, with members: [OuterMember], at path: String) {
    var others = object
    for member in members {
      guard let value = others.removeValue(forKey: member.key) else { continue }
      compare(value, with: member, at: Self.path(in: path, to: member.key))
    }
    for key in others.keys { leaks.append((Self.leak(of: key, in: path), Self.path(in: path, to: key))) }
  }

  private mutating func compare(_ value: JSONValue, with member: OuterMember, at path: String) {
    let isExpected: Bool
    switch member.value {
    // Lint itself checks the envelope, which may also be missing.
    case .envelope: return
    case .title: isExpected = value.string != nil
    case .body: isExpected = value == .string(placeholderBody)
    case .fixed(let expected): isExpected = value == expected
    case .copied(let kind): isExpected = kind.includes(value)
    case .object(let members):
      if let object = value.object { return compare(object, with: members, at: path) }
      isExpected = false
    case .alert(let members):
      if let object = value.object { return compare(object, with: members, at: path) }
      isExpected = value == .string(placeholderBody)
    }
    if !isExpected { leaks.append((Self.leaks[member.key] ?? .value, path)) }
  }

  private static func path(in path: String, to key: String) -> String {
    path.isEmpty ? key : "\(path).\(key)"
  }

  /// The kind of leak of a member that no sealed push has in the object at this path.
  private static func leak(of key: String, in path: String) -> Lint.Visible {
    switch path {
    case "": .customKey
    case "aps.content-state": .state
    case "aps.attributes": .attributes
    default: leaks[key] ?? .member
    }
  }

  /// Members that Apple defines, in `aps` and in an alert.
  private static let leaks: [String: Lint.Visible] = [
    "alert": .text, "title": .text, "subtitle": .text, "body": .text,
    "title-loc-key": .localizationKey, "subtitle-loc-key": .localizationKey, "loc-key": .localizationKey,
    "action-loc-key": .localizationKey,
    "title-loc-args": .arguments, "subtitle-loc-args": .arguments, "loc-args": .arguments,
    "launch-image": .launchImage, "badge": .badge, "sound": .sound, "thread-id": .thread,
    "category": .category, "target-content-id": .target, "filter-criteria": .target,
    "interruption-level": .interruptionLevel, "relevance-score": .relevanceScore,
    "content-state": .state, "attributes": .attributes,
  ]
}
