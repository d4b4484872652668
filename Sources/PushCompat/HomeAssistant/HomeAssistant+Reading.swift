internal import PushPayload
public import PushReceiver

extension HomeAssistant {
  /// What a plaintext says: `title` and `message`; its other members are the app's.
  public static let reading = PlaintextReading { plaintext, _ in
    guard var members = try? JSONObject(parsing: plaintext.span) else { return nil }
    var alert = JSONObject()
    alert["title"] = members["title"]
    alert["body"] = members["message"]
    for name in ["title", "message"] { members[name] = nil }
    members["aps"] = ["alert": .object(alert)]
    return members
  }
}
