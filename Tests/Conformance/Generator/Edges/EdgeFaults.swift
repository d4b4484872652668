import PushCore
import PushKeys
import PushReceiver
import TestSupport

/// Payloads that do not open, where it is easy to think that they should; and those with two faults, one of which
/// comes first.
struct EdgeFaults {
  let keys: VectorKeys
  let edgeKeys: EdgeKeys

  private var vectors: DegradedVectors { DegradedVectors(keys: keys) }

  func all() throws -> [DegradedVector] {
    try values() + syntax() + lives() + times() + orders() + [replayed()]
  }

  private func content(
    _ name: String, _ rule: String, _ comment: String, _ content: String
  ) throws -> DegradedVector {
    try vectors.faulty("edge-\(name)", rule, .malformedContent, comment) { $0.content = Array(content.utf8) }
  }

  private func values() throws -> [DegradedVector] {
    let faults = [
      ("critical-2", "neither 0 nor 1", #""sound":{"name":"s","critical":2}"#),
      ("critical-fraction", "1.0 is no integer", #""sound":{"name":"s","critical":1.0}"#),
      ("critical-minus-0", "-0 is no integer", #""sound":{"name":"s","critical":-0}"#),
      ("critical-true", "true is no integer", #""sound":{"name":"s","critical":true}"#),
      ("critical-null", "null is not as absent", #""sound":{"name":"s","critical":null}"#),
      ("volume-1-5", "a volume above 1", #""sound":{"name":"s","volume":1.5}"#),
      ("volume-1e-400", "no double, and not zero", #""sound":{"name":"s","critical":1,"volume":1e-400}"#),
      (
        "volume-minus-1e-400", "no double, and below zero",
        #""sound":{"name":"s","critical":1,"volume":-1e-400}"#
      ),
      ("score-1e-400", "no double, and not zero", #""relevance-score":1e-400"#),
      ("badge-minus-0", "-0 is no integer", #""badge":-0"#),
      ("badge-exponent", "an integer has no exponent", #""badge":1e0"#),
      ("badge-2-63", "one more than 63 bits hold", #""badge":9223372036854775808"#),
    ]
    return try faults.map { name, comment, members in
      try content(name, "6.3", comment, #"{"aps":{"alert":"B",\#(members)}}"#)
    } + [try content("alert-null", "6.3", "null is not as absent", #"{"aps":{"alert":null}}"#)]
  }

  private func syntax() throws -> [DegradedVector] {
    let faults = [
      ("vertical-tab", "no white space of JSON's", "{\u{0b}\"aps\":{\"alert\":\"B\"}}"),
      ("no-break-space", "no white space of JSON's", "\u{a0}{\"aps\":{\"alert\":\"B\"}}"),
      ("comment", "JSON has no comments", #"{"aps":{"alert":"B"}/**/}"#),
      ("plus", "a sign that JSON has not", #"{"aps":{"alert":"B"},"a":+1}"#),
      ("point-at-end", "no digit behind the point", #"{"aps":{"alert":"B"},"a":1.}"#),
      ("point-at-front", "no digit before the point", #"{"aps":{"alert":"B"},"a":.5}"#),
      ("infinity", "not a number", #"{"aps":{"alert":"B"},"a":Infinity}"#),
      ("open-array", "a comma before the bracket", #"{"aps":{"alert":"B"},"a":[1,]}"#),
      ("escape-capital", "an escape that JSON has not", #"{"aps":{"alert":"B"},"a":"\U0041"}"#),
      ("single-quotes", "quotes that JSON has not", "{\"aps\":{\"alert\":\"B\"},'a':1}"),
      ("surrogates-swapped", "a pair the wrong way round", #"{"aps":{"alert":"B"},"a":"\udc00\ud800"}"#),
      ("duplicate-deep", "a member twice, far inside", #"{"aps":{"alert":"B"},"a":[{"b":1,"b":1}]}"#),
    ]
    return try faults.map { name, comment, text in try content(name, "6.1", comment, text) }
  }

  private func lives() throws -> [DegradedVector] {
    func at(
      _ second: Int64, _ name: String, _ rule: String, _ reason: DegradeReason, _ comment: String,
      _ change: (inout Forge) -> Void
    ) throws -> DegradedVector {
      var vector = try vectors.faulty("edge-\(name)", rule, reason, comment, isSigned: true, change)
      vector.setting.now = UnixTime(clamping: second)
      return vector
    }
    return [
      try at(
        EdgeKeys.begin - 1, "sender-nbf-to-come", "5.8", .unknownSender,
        "a second before the sender's key begins"
      ) { $0.signer = edgeKeys.signer },
      try at(
        EdgeKeys.end + 1, "sender-ended", "5.8", .unknownSender, "a second after the sender's key ended"
      ) { $0.signer = edgeKeys.signer },
      try at(
        EdgeKeys.end + 1, "device-ended", "3.1", .unknownKey, "a second after the device's key ended"
      ) { $0.recipient = edgeKeys.recipient },
    ]
  }

  private func times() throws -> [DegradedVector] {
    func at(
      _ second: Int64, issued: UInt64, _ name: String, _ rule: String, _ reason: DegradeReason,
      _ comment: String
    ) throws -> DegradedVector {
      var vector = try vectors.faulty("edge-\(name)", rule, reason, comment) {
        ($0.issuedAt, $0.lifetime) = (issued, 0)
      }
      vector.setting.now = UnixTime(clamping: second)
      return vector
    }
    return [
      try at(301, issued: 0, "expired-epoch", "5.10", .expired, "issued at the epoch, and a second too late"),
      try at(
        0, issued: 301, "not-yet-valid-epoch", "5.11", .notYetValid,
        "issued 301 seconds ahead of a clock at the epoch"),
      try at(
        Int64(Forge.issuedAt), issued: 1 << 53 - 1, "not-yet-valid-latest", "5.11", .notYetValid,
        "issued at the last second that there is"),
    ]
  }

  private func orders() throws -> [DegradedVector] {
    func late(
      _ name: String, _ rule: String, _ reason: DegradeReason, _ comment: String, isSigned: Bool = true,
      _ change: (inout Forge) -> Void
    ) throws -> DegradedVector {
      try vectors.faulty("edge-order-\(name)", rule, reason, comment, isSigned: isSigned) {
        $0.lifetime = 0
        $0.issuedAt = Forge.issuedAt + 60 - 301
        change(&$0)
      }
    }
    var anonymous = try late(
      "anonymous-expired", "5.7", .anonymousNotAccepted, "anonymous and expired", isSigned: false
    ) { _ in }
    anonymous.setting.anonymous = false
    var unknown = try vectors.faulty(
      "edge-order-suite-key", "2.6", .suiteNotAccepted, "a suite that is not accepted, and an unknown key"
    ) { $0.changeEnvelope = { change($0, at: 2) { $0 ^ 1 } } }
    unknown.setting.suites = [.p256AESGCM]
    var remembered = try vectors.faulty(
      "edge-order-content-memory", "6.1", .malformedContent,
      "no JSON, under the id of a message that was shown"
    ) { $0.content = Array("{".utf8) }
    remembered.setting.after = try vectors.forge("edge-order-content-memory").payload()
    return [
      try late("expired-content", "5.10", .expired, "expired, and no JSON") { $0.content = Array("{".utf8) },
      try vectors.faulty(
        "edge-order-not-yet-valid-content", "5.11", .notYetValid, "not yet valid, and no JSON"
      ) { ($0.content, $0.issuedAt) = (Array("{".utf8), Forge.issuedAt + 60 + 301) },
      anonymous,
      try late("signature-expired", "5.9", .badSignature, "a signature that is not right, and expired") {
        $0.changeSignature = { change($0, at: 0) { $0 ^ 1 } }
      },
      try late("type-expired", "5.3", .malformedContent, "data where a notification is opened, and expired") {
        $0.firstByte = 0x21
      },
      unknown, remembered,
    ]
  }

  /// Nobody signed either of the two.
  private func replayed() throws -> DegradedVector {
    let id = "edge-replayed-anonymous"
    var vector = try vectors.faulty(
      id, "7.1", .replayed, "another content under the id of an anonymous message", isSigned: false
    ) { $0.content = Array(#"{"aps":{"alert":"Another"}}"#.utf8) }
    vector.setting.after = try vectors.forge(id, isSigned: false).payload()
    return vector
  }
}
