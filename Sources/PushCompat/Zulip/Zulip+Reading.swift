internal import PushPayload
public import PushReceiver

extension Zulip {
  /// What a plaintext of the type `message` says: who wrote it, where, and what; all its members are the app's.
  ///
  /// A message in a channel shows the channel and the topic below the writer's name, and is grouped by them. A plaintext
  /// of another type has nothing to show.
  public static let reading = PlaintextReading { plaintext, _ in
    guard var members = try? JSONObject(parsing: plaintext.span), members["type"]?.string == "message" else {
      return nil
    }
    var alert = JSONObject()
    alert["title"] = members["sender_full_name"]
    alert["body"] = members["content"]
    var aps = JSONObject()
    if let channel = members["channel_name"]?.string {
      let place = [channel, members["topic"]?.string ?? ""].filter { !$0.isEmpty }.joined(separator: " > ")
      alert["subtitle"] = .string(place)
      aps["thread-id"] = .string(place)
    }
    aps["alert"] = .object(alert)
    members["aps"] = .object(aps)
    return members
  }
}
