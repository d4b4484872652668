import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport

/// What a Live Activity gets: the envelope is in its state, and some of its members are visible, too.
struct LiveActivityVectors {
  private static let update =
    #"{"aps":{"timestamp":1795000000,"event":"update","content-state":{"score":[3,1]},"#
    + #""stale-date":1795000600},"match":7}"#

  let keys: VectorKeys

  func all() throws -> [DataVector] { try updates() + starts() + ends() + [changed()] + faults() }

  private func updates() throws -> [DataVector] {
    [
      try sealed("update", "a new state, and nobody is alerted", Self.update),
      try sealed("update-p256-aesgcm", "the same in the other suite", Self.update, suite: .p256AESGCM),
      try sealed(
        "update-anonymous", "nobody signed, and the app does not mind", Self.update, isSigned: false),
      try sealed(
        "update-alert", "an alert with a sound of its own: the placeholder stands for it",
        #"{"aps":{"timestamp":1795000000,"event":"update","content-state":{"score":[4,1]},"#
          + #""alert":{"title":"Goal","body":"4:1","sound":"goal.aiff"}}}"#),
      try sealed(
        "score-75", "the score of a Live Activity is any number that is not negative",
        #"{"aps":{"timestamp":1795000000,"event":"update","content-state":{"score":[3,1]},"#
          + #""relevance-score":75}}"#),
      try sealed(
        "score-fraction", "a score that is no integer keeps its literal",
        #"{"aps":{"timestamp":1795000000,"event":"update","content-state":{},"relevance-score":0.25}}"#),
      try sealed("4096", "filled up to all that such a push may have", Self.update, padding: .maximum),
    ]
  }

  private func starts() throws -> [DataVector] {
    let start =
      #"{"aps":{"timestamp":1795000000,"event":"start","content-state":{"score":[0,0]},"#
      + #""attributes-type":"Match","attributes":{"home":"Ada","away":"Grace"},"#
    return [
      try sealed(
        "start", "a start shows the name of its type, and its attributes are empty",
        start + #""alert":{"title":"Kick-off","body":"Ada and Grace"}}}"#),
      try sealed(
        "start-token", "it asks the app for a token to be updated with",
        start + #""input-push-token":1,"alert":{"title":"Kick-off","body":"Ada and Grace"}}}"#),
      try sealed(
        "start-channel", "it names the channel by which it is updated",
        start + #""input-push-channel":"dHN0LXNyY2gtY2hubA==","alert":{"title":"Kick-off","body":"-"}}}"#),
    ]
  }

  private func ends() throws -> [DataVector] {
    [
      try sealed(
        "end", "an end without a state: the envelope is in one all the same",
        #"{"aps":{"timestamp":1795000000,"event":"end","dismissal-date":1795003600}}"#)
    ]
  }

  /// Made by the sealer, and changed on the way.
  private func changed() throws -> DataVector {
    let good = try sealed("visible-changed", "", Self.update)
    var payload = good.payload
    var aps = payload["aps"]?.object ?? [:]
    aps["timestamp"] = 1_795_999_999
    aps["stale-date"] = nil
    payload["aps"] = .object(aps)
    return DataVector(
      id: good.id, comment: "what is visible was changed on the way: it is not authentic, and not looked at",
      pushType: .liveActivity, forge: good.forge, padding: "other", payload: payload)
  }

  private func faults() throws -> [DataVector] {
    let good = try forge("good", Self.update)
    var notification = try forge("content-type-1", Self.update)
    notification.firstByte = 0x11
    var call = try forge("content-type-3", Self.update)
    call.firstByte = 0x31
    return [
      try faulty("no-envelope", "1.1", .noEnvelope, "a state without an envelope", good, [:]),
      try faulty(
        "envelope-number", "1.2", .malformedEnvelope, "a number in the envelope's place", good,
        ["ENCRYPTED_DATA": 1]),
      try faulty(
        "field-8193", "1.3", .tooLarge, "more characters than are looked at", good,
        ["ENCRYPTED_DATA": .string(String(repeating: "A", count: 8193))]),
      try faulty(
        "content-type-1", "5.3", .malformedContent, "a notification where data is asked for", notification),
      try faulty("content-type-3", "5.3", .malformedContent, "a call in the place of a state", call),
      try faulty(score: "-1", "negative", "a score below 0"),
      try faulty(score: "1e400", "infinite", "a score that no double can hold"),
      try faulty(score: #""75""#, "string", "a score that is no number"),
    ]
  }

  private func faulty(score: String, _ id: String, _ comment: String) throws -> DataVector {
    var forge = try forge(
      "score-\(id)",
      #"{"aps":{"timestamp":1795000000,"event":"update","content-state":{},"relevance-score":\#(score)}}"#)
    forge.firstByte = 0x41
    return try faulty("score-\(id)", "6.3", .malformedContent, comment, forge)
  }

  /// With the forge's envelope, unless another state is given.
  private func faulty(
    _ id: String, _ rule: String, _ reason: DegradeReason, _ comment: String, _ forge: Forge,
    _ state: JSONObject? = nil
  ) throws -> DataVector {
    let state = try state ?? ["ENCRYPTED_DATA": .string(try forge.text())]
    return DataVector(
      id: "liveactivity-\(id)", comment: comment, pushType: .liveActivity, forge: forge, padding: "other",
      payload: [
        "aps": ["timestamp": 1_795_000_000, "event": "update", "content-state": .object(state)]
      ], fault: (rule, reason))
  }

  private func forge(
    _ id: String, _ content: String, _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true
  ) throws -> Forge {
    var forge = Forge(
      "liveactivity-\(id)", to: try keys.recipient(suite), from: isSigned ? try keys.sender.signingKey() : nil
    )
    forge.content = Array(content.utf8)
    return forge
  }

  private func sealed(
    _ id: String, _ comment: String, _ content: String, suite: Suite = .x25519ChaChaPoly,
    isSigned: Bool = true, padding: Padding = .buckets
  ) throws -> DataVector {
    try DataVector(
      sealing: try forge(id, content, suite, isSigned: isSigned), as: .liveActivity, comment,
      padding: padding)
  }
}
