import PushCore
import PushKeys
import PushReceiver
import PushSealer
import TestSupport
import Testing

/// What is opened as data: background and VoIP pushes, and what must not pass for one.
struct DataVectors {
  private static let call = #"{"aps":{},"call":{"id":7,"from":"Ada"}}"#

  let keys: VectorKeys

  func all() throws -> [DataVector] { try everyKind() + contents() + times() + faults() }

  private func everyKind() throws -> [DataVector] {
    var vectors: [DataVector] = []
    for suite in Setting.publicKeySuites {
      for type in [PushType.background, .voip] {
        vectors.append(
          try sealed(
            "\(type.rawValue)-\(suite.name)", type, "the plain case: this push type, this suite, signed",
            suite: suite))
      }
    }
    return vectors + [
      try sealed(
        "background-anonymous", .background, "nobody signed, and the app does not mind", isSigned: false)
    ]
  }

  private func contents() throws -> [DataVector] {
    [
      try sealed(
        "background-no-alert", .background, "no alert at all, which a notification must have",
        #"{"aps":{"badge":3}}"#),
      try sealed(
        "voip-alert", .voip, "an alert, which nobody shows",
        #"{"aps":{"alert":{"title":"Ada","body":"calls"}}}"#),
      try sealed("voip-5120", .voip, "filled up to all that a VoIP push may have", padding: .maximum),
      try sealed(
        "background-4096", .background, "filled up to all that a background push may have", padding: .maximum),
    ]
  }

  private func times() throws -> [DataVector] {
    var inTime = try sealed("voip-lifetime-zero", .voip, "now or never, within the skew", lifetime: 0)
    inTime.now = UnixTime(clamping: Int64(Forge.issuedAt) + 300)
    var late = try sealed("voip-expired", .voip, "now or never, and it is too late", lifetime: 0)
    late.now = UnixTime(clamping: Int64(Forge.issuedAt) + 301)
    late.fault = ("5.10", .expired)
    return [inTime, late]
  }

  private func faults() throws -> [DataVector] {
    let notification = try forge("data-content-type-1", content: nil)
    return [
      DataVector(
        id: notification.label, comment: "a notification where data is asked for", pushType: .alert,
        forge: notification, padding: "other", payload: try notification.payload(),
        fault: ("5.3", .malformedContent)),
      try faulty("data-content-type-2", "5.3", "a background push in a call's place") { $0.firstByte = 0x21 },
      try faulty("data-content-type-4", "5.3", "the state of a Live Activity in a call's place") {
        $0.firstByte = 0x41
      },
      try faulty("data-content-type-15", "5.3", "no content type") { $0.firstByte = 0xf1 },
      try replayed(),
      try faulty("data-duplicate-member", "6.1", "a member twice: data is strict JSON too") {
        $0.content = Array(#"{"aps":{},"call":1,"call":2}"#.utf8)
      },
      try faulty("data-no-aps", "6.2", "no aps: data is an APNs payload too") {
        $0.content = Array(#"{"call":{"id":7}}"#.utf8)
      },
      try faulty("data-badge-string", "6.3", "a member of aps has not its type") {
        $0.content = Array(#"{"aps":{"badge":"3"}}"#.utf8)
      },
    ]
  }

  /// A call that was answered, and another one under its id.
  private func replayed() throws -> DataVector {
    let first = try sealed("voip-replayed-first", .voip, "")
    var again = try faulty("voip-replayed", "7.1", "another call under the id of one that was opened") {
      $0.messageID = first.forge.messageID
      $0.content = Array(#"{"aps":{},"call":{"id":8,"from":"Eve"}}"#.utf8)
    }
    again.after = first.payload
    again.fault = ("7.1", .replayed)
    return again
  }

  private func faulty(
    _ id: String, _ rule: String, _ comment: String, _ change: (inout Forge) -> Void
  ) throws -> DataVector {
    var forge = try forge(id)
    forge.firstByte = 0x31
    change(&forge)
    var payload = try forge.payload()
    payload["aps"] = [:]
    return DataVector(
      id: id, comment: comment, pushType: .voip, forge: forge, padding: "other", payload: payload,
      fault: (rule, .malformedContent))
  }

  private func forge(
    _ id: String, _ suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true, content: String? = call
  ) throws -> Forge {
    var forge = Forge(
      id, to: try keys.recipient(suite), from: isSigned ? try keys.sender.signingKey() : nil)
    if let content { forge.content = Array(content.utf8) }
    return forge
  }

  private func sealed(
    _ id: String, _ type: PushType, _ comment: String, _ content: String = call,
    suite: Suite = .x25519ChaChaPoly, isSigned: Bool = true, padding: Padding = .buckets,
    lifetime: UInt32 = 2_592_000
  ) throws -> DataVector {
    var forge = try forge(id, suite, isSigned: isSigned, content: content)
    forge.lifetime = lifetime
    return try DataVector(sealing: forge, as: type, comment, padding: padding)
  }
}
