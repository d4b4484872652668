import PushEnvelope
import PushPayload
import PushSealer
import Testing

/// What a sender hears of a payload before it goes out.
struct LintTests {
  private func findings(_ text: String) throws -> [String] {
    try Lint(JSONObject(parsing: Array(text.utf8).span)).findings.map {
      "\($0.isFault ? "!" : "")\($0.key) \($0.code)"
    }
  }

  @Test("what a sealer makes leaves nothing to say")
  func sealed() throws {
    let backend = Backend()
    let push = try backend.sealer().seal(
      RemoteNotification(title: "T", body: "B"), to: Device(.x25519ChaChaPoly))
    #expect(Lint(try JSONObject(parsing: push.payload.span)).findings.isEmpty)
  }

  @Test(
    "each thing that those on the way can read is named",
    arguments: [
      (
        #"{"aps":{"alert":{"title":"T","body":"(Encrypted)"},"mutable-content":1}}"#,
        "ENCRYPTED_DATA not-sealed"
      ),
      (#"{"aps":{"alert":"Hi","mutable-content":1},"ENCRYPTED_DATA":"x"}"#, "aps.alert visible-text"),
      (
        #"{"aps":{"alert":{"body":"Hi"},"mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.alert.body visible-text"
      ),
      (
        #"{"aps":{"alert":{"title":"T","subtitle":"S"},"mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.alert.subtitle visible-text"
      ),
      (
        #"{"aps":{"alert":{"loc-key":"K","loc-args":["a"]},"mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.alert.loc-args visible-loc-args"
      ),
      (
        #"{"aps":{"alert":"(Encrypted)","badge":1,"mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.badge visible-badge"
      ),
      (
        #"{"aps":{"alert":"(Encrypted)","sound":"a.caf","mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.sound visible-sound"
      ),
      (
        #"{"aps":{"alert":"(Encrypted)","thread-id":"t","mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.thread-id visible-thread-id"
      ),
      (
        #"{"aps":{"alert":"(Encrypted)","category":"c","mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.category visible-category"
      ),
      (
        #"{"aps":{"alert":"(Encrypted)","filter-criteria":"f","mutable-content":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.filter-criteria visible-target"
      ),
      (
        #"{"aps":{"alert":"(Encrypted)","mutable-content":1},"ENCRYPTED_DATA":"x","chat":42}"#,
        "chat visible-custom-key"
      ),
      (#"{"aps":{"alert":"(Encrypted)"},"ENCRYPTED_DATA":"x"}"#, "aps.mutable-content extension-not-run"),
      (
        #"{"aps":{"alert":"(Encrypted)","mutable-content":1,"chat":1},"ENCRYPTED_DATA":"x"}"#,
        "aps.chat unknown-aps-key"
      ),
    ])
  func visible(payload: String, finding: String) throws { #expect(try findings(payload) == [finding]) }

  @Test("what is not taken comes first, and is a fault")
  func fault() throws {
    let payload =
      #"{"aps":{"alert":"(Encrypted)","relevance-score":1.1,"mutable-content":1},"ENCRYPTED_DATA":"x"}"#
    #expect(try findings(payload).first == "!aps.relevance-score must-be-from-0-to-1")
  }
}
