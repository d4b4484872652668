internal import PushPayload
public import PushReceiver

extension Bark {
  /// What a plaintext says: `title`, `subtitle`, `body`, `sound`, `group`, `level` and `badge`, in any case.
  ///
  /// `.caf` is put behind a sound without it. A text that is no string, an empty sound, and a level or a badge that
  /// Apple does not have are left out. The other members, under their names in lower case, are the app's.
  public static let reading = PlaintextReading { plaintext, _ in
    guard let object = try? JSONObject(parsing: plaintext.span) else { return nil }
    var members = JSONObject()
    for (name, value) in object { members[name.lowercased()] = value }
    var alert = JSONObject()
    for name in ["title", "subtitle", "body"] { alert[name] = members.take(name)?.text }
    var aps: JSONObject = ["alert": .object(alert)]
    aps["sound"] = members.take("sound")?.string.flatMap(sound)
    aps["thread-id"] = members.take("group")?.text
    aps["interruption-level"] = members.take("level")?.string.flatMap(level)
    aps["badge"] = members.take("badge").flatMap(badge)
    members["aps"] = .object(aps)
    return members
  }

  private static func sound(_ name: String) -> JSONValue? {
    name.isEmpty ? nil : .string(name.hasSuffix(".caf") ? name : name + ".caf")
  }

  private static func level(_ text: String) -> JSONValue? {
    switch text.lowercased() {
    case "passive": "passive"
    case "active": "active"
    case "timesensitive": "time-sensitive"
    case "critical": "critical"
    default: nil
    }
  }

  /// Bark's server makes texts of all values.
  private static func badge(_ value: JSONValue) -> JSONValue? {
    guard let badge = value.number?.integer ?? value.string.flatMap(Int64.init), badge >= 0 else {
      return nil
    }
    return .number(JSONNumber(badge))
  }
}

extension JSONValue {
  /// The value if it is a string, or else null.
  fileprivate var text: JSONValue? { string.map(JSONValue.string) }
}

extension JSONObject {
  /// A member's value, which is taken out.
  fileprivate mutating func take(_ name: String) -> JSONValue? {
    defer { self[name] = nil }
    return self[name]
  }
}
