import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport

/// What a caller says beside the content, and what an opener heeds of it: [6.6], [6.7].
struct CallerVector {
  let message: OpenedVector
  var rule: String?
  /// What is heeded.
  var heeds: JSONObject

  func json(shown: ShownContent) -> JSONObject {
    var object = message.json(shown: shown)
    object["rule"] = rule.map(JSONValue.string)
    object["heeds"] = .object(heeds)
    return object
  }
}

/// Makes them.
struct CallerVectors {
  let keys: VectorKeys

  private static let one = "2c75dea1-70b5-4c96-b740-1f3362cce2e9"
  private static let two = "82a3c1b8-95f8-82cd-ae4b-0478b67e7823"

  func all() throws -> [CallerVector] { try heeded() + passedOver() }

  private func vector(
    _ name: String, _ comment: String, _ member: String, rule: String? = nil, isSigned: Bool = true,
    heeds: JSONObject = [:]
  ) throws -> CallerVector {
    var forge = Forge(
      "caller-\(name)", to: try keys.recipient(.x25519ChaChaPoly),
      from: isSigned ? try keys.sender.signingKey() : nil)
    forge.content = Array(#"{"aps":{"alert":"B"},"sealed-push":\#(member)}"#.utf8)
    return CallerVector(
      message: OpenedVector(
        id: forge.label, comment: comment, forge: forge, padding: "other", limit: 4096,
        payload: try forge.payload()), rule: rule, heeds: heeds)
  }

  /// As many as a message can remove.
  private static let most = (0..<32).map { MessageID(Forge.messageID(of: "removed \($0)"))?.text ?? "" }

  private func heeded() throws -> [CallerVector] {
    let (one, two) = (JSONValue.string(Self.one), JSONValue.string(Self.two))
    return [
      try vector(
        "replaces", "the message takes another's place", #"{"v":1,"replaces":"\#(Self.one)"}"#,
        heeds: ["replaces": one]),
      try vector(
        "removes", "the message takes another from the screen", #"{"v":1,"removes":["\#(Self.one)"]}"#,
        heeds: ["removes": .array([one])]),
      try vector(
        "removes-32", "and as many as there may be",
        #"{"v":1,"removes":[\#(Self.most.map(\.quoted).joined(separator: ","))]}"#,
        heeds: ["removes": .array(Self.most.map(JSONValue.string))]),
      try vector(
        "both", "both, and bytes",
        #"{"bytes":"AAEC_w","removes":["\#(Self.two)"],"v":1,"replaces":"\#(Self.one)"}"#,
        heeds: ["replaces": one, "removes": .array([two]), "bytes": "AAEC_w"]),
      try vector("bytes", "bytes of the app's own", #"{"v":1,"bytes":"AAEC_w"}"#, heeds: ["bytes": "AAEC_w"]),
      try vector(
        "more", "beside members that nobody knows", #"{"v":1,"x":[],"replaces":"\#(Self.one)"}"#,
        heeds: ["replaces": one]),
      try vector("nothing", "the member says nothing", #"{"v":1}"#),
    ]
  }

  private func passedOver() throws -> [CallerVector] {
    let id = Self.one.quoted
    let replaced = JSONValue.string(Self.two)
    let versions = [
      ("absent", "{"), ("2", #"{"v":2,"#), ("decimal", #"{"v":1.0,"#), ("string", #"{"v":"1","#),
    ]
    let values = [
      ("number", "1", "no string"), ("null", "null", "nothing"), ("empty", "".quoted, "no id"),
      ("upper-case", Self.one.uppercased().quoted, "in upper case"),
      ("digits", Self.one.split(separator: "-").joined().quoted, "without hyphens"),
      ("array", "[\(id)]", "in an array"), ("long", "\(Self.one)0".quoted, "a digit too many"),
    ]
    let bytes = [
      ("padding", "AAE=", "with padding"), ("trailing-bits", "AAF", "bits that belong to no byte"),
      ("standard", "AAEC/w", "the other alphabet"), ("length", "AAECA", "a length that no bytes have"),
    ]
    return [
      try vector(
        "anonymous", "nobody signed: anyone could take messages from the screen",
        #"{"v":1,"replaces":\#(id),"removes":[\#(id)]}"#, rule: "6.6", isSigned: false),
      try vector(
        "removes-string", "an id that is in no array", #"{"v":1,"removes":\#(id)}"#, rule: "6.6"),
      try vector("removes-object", "no array", #"{"v":1,"removes":{"a":\#(id)}}"#, rule: "6.6"),
      try vector("removes-empty", "no id", #"{"v":1,"removes":[]}"#, rule: "6.6"),
      try vector(
        "removes-33", "the last is one too many",
        #"{"v":1,"removes":[\#((Self.most + [Self.two]).map(\.quoted).joined(separator: ","))]}"#,
        rule: "6.6",
        heeds: ["removes": .array(Self.most.map(JSONValue.string))]),
      try vector(
        "removes-one-bad", "ids beside others that are none",
        #"{"v":1,"removes":[\#(Self.one.uppercased().quoted),\#(id),1,null]}"#, rule: "6.6",
        heeds: ["removes": .array([.string(Self.one)])]),
      try vector("array", "the member is an array", #"[{"v":1,"replaces":\#(id)}]"#, rule: "6.6"),
      try vector("string", "the member is an id", id, rule: "6.6"),
      try vector(
        "bytes-number", "bytes that are no string", #"{"v":1,"bytes":1,"replaces":"\#(Self.two)"}"#,
        rule: "6.7",
        heeds: ["replaces": replaced]),
    ]
      + (try versions.map { name, start in
        try vector(
          "v-\(name)", "`v` is not the integer 1",
          #"\#(start)"replaces":\#(id),"removes":[\#(id)],"bytes":"AAEC"}"#,
          rule: "6.6")
      })
      + (try values.map { name, value, comment in
        try vector(
          "replaces-\(name)", "`replaces`: \(comment)", #"{"v":1,"replaces":\#(value)}"#, rule: "6.6")
      })
      + (try bytes.map { name, value, comment in
        try vector("bytes-\(name)", "`bytes`: \(comment)", #"{"v":1,"bytes":"\#(value)"}"#, rule: "6.7")
      })
  }
}
