import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport

/// What a watch complication or a push-to-talk channel gets, which the app opens as data.
struct PushTypeVectors {
  private static let ring = #"{"aps":{},"ring":{"steps":7012,"of":"Ada"}}"#

  let keys: VectorKeys

  func all() throws -> [DataVector] { try everyKind() + sizes() + times() + faults() }

  private func everyKind() throws -> [DataVector] {
    var vectors: [DataVector] = []
    for suite in Setting.publicKeySuites {
      for type in [PushType.complication, .pushToTalk] {
        let forge = try forge("\(type.rawValue)-\(suite.name)", suite)
        vectors.append(
          try DataVector(sealing: forge, as: type, "the plain case: this push type, this suite, signed"))
      }
    }
    let anonymous = try forge("complication-anonymous", isSigned: false)
    let speaker = try forge(
      "pushtotalk-alert", content: #"{"aps":{"alert":{"title":"Ada"}},"speaker":"Ada"}"#)
    return vectors + [
      try DataVector(sealing: anonymous, as: .complication, "nobody signed, and the app does not mind"),
      try DataVector(sealing: speaker, as: .pushToTalk, "an alert, which nobody shows"),
    ]
  }

  private func sizes() throws -> [DataVector] {
    try [PushType.complication, .pushToTalk].map { type in
      try DataVector(
        sealing: try forge("\(type.rawValue)-4096"), as: type, "filled up to all that such a push may have",
        padding: .maximum)
    }
  }

  private func times() throws -> [DataVector] {
    var forge = try forge("pushtotalk-lifetime-zero")
    forge.lifetime = 0
    var inTime = try DataVector(sealing: forge, as: .pushToTalk, "now or never, within the skew")
    inTime.now = UnixTime(clamping: Int64(Forge.issuedAt) + 300)
    return [inTime]
  }

  private func faults() throws -> [DataVector] {
    var score = try forge(
      "complication-score-75", content: #"{"aps":{"relevance-score":75}}"#)
    score.firstByte = 0x51
    var payload = try score.payload()
    payload["aps"] = [:]
    return [
      DataVector(
        id: score.label, comment: "a score above 1, and no event that would make it a Live Activity's",
        pushType: .complication, forge: score, padding: "other", payload: payload,
        fault: ("6.3", .malformedContent))
    ]
  }

  private func forge(
    _ id: String, _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true, content: String = ring
  ) throws -> Forge {
    var forge = Forge(
      id, to: try keys.recipient(suite), from: isSigned ? try keys.sender.signingKey() : nil)
    forge.content = Array(content.utf8)
    return forge
  }
}
