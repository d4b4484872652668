public import PushPayload
public import PushReceiver

extension ShownContent {
  /// The content as JSON, with the names of Apple's classes.
  ///
  /// What is absent is an empty string or null.
  public var json: JSONObject {
    [
      "title": .string(title),
      "subtitle": .string(subtitle),
      "body": .string(body),
      "sound": sound.map(Self.json) ?? .null,
      "badge": badge.map { .number(JSONNumber($0)) } ?? .null,
      "category": .string(category),
      "threadIdentifier": .string(threadIdentifier),
      "targetContentIdentifier": targetContentIdentifier.map(JSONValue.string) ?? .null,
      "interruptionLevel": .string(interruptionLevel.rawValue),
      "relevanceScore": JSONNumber(relevanceScore).map(JSONValue.number) ?? .null,
      "userInfo": .object(PropertyList.json(userInfo)),
    ]
  }

  private static func json(_ sound: Sound) -> JSONValue {
    switch sound {
    case .named(let name): return .string(name)
    case .critical(let name, let volume):
      var object: JSONObject = ["critical": .number(JSONNumber(1)), "name": .string(name)]
      object["volume"] = volume.flatMap { JSONNumber($0) }.map(JSONValue.number)
      return .object(object)
    }
  }
}
