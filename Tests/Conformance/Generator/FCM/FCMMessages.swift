import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing

/// Messages of `fcm` and `fcm-data`: their payload is FCM's `data`.
struct FCMMessages {
  let keys: VectorKeys

  private static let topic = "com.example.my_app"
  private static let content = #"{"aps":{"alert":{"title":"Ada","body":"Lunch at noon?"}}}"#
  private static let news = #"{"aps":{},"news":7}"#
  private static let longest: UInt32 = 2_419_200

  // MARK: What opens

  func opened() throws -> [OpenedVector] {
    try everyCombination() + sizes() + others()
  }

  private func everyCombination() throws -> [OpenedVector] {
    var vectors: [OpenedVector] = []
    for suite in Setting.publicKeySuites {
      for isSigned in [true, false] {
        for padding in Padding.allCases {
          let id = "fcm-\(suite.name)-\(isSigned ? "signed" : "anonymous")-\(padding.rawValue)"
          vectors.append(
            try sealed(id, "the plain case: this suite, this kind of sender, this padding", padding: padding)
            {
              $0.recipient = try keys.recipient(suite)
              if !isSigned { $0.signer = nil }
            })
        }
      }
    }
    return vectors
  }

  private func sizes() throws -> [OpenedVector] {
    try Setting.publicKeySuites.flatMap { suite in
      try [true, false].map { isSigned in
        let empty = #"{"aps":{"alert":{"body":""}}}"#.utf8.count
        let room = Budget.contentCapacity(
          policy: SealingPolicy(), suite: suite, isSigned: isSigned, over: .fcm)
        let body = String(repeating: "x", count: room - empty)
        let id = "fcm-largest-\(suite.name)-\(isSigned ? "signed" : "anonymous")"
        return try sealed(id, "the longest body: FCM counts the name and the envelope alone") {
          $0.recipient = try keys.recipient(suite)
          if !isSigned { $0.signer = nil }
          $0.content = Array(#"{"aps":{"alert":{"body":"\#(body)"}}}"#.utf8)
        }
      }
    }
  }

  private func others() throws -> [OpenedVector] {
    var last = try sealed("fcm-last-second", "opened at the last second of lifetime and skew") { _ in }
    last.now = UnixTime(clamping: Int64(Forge.issuedAt) + Int64(Self.longest) + 300)
    var beside = try forge("fcm-beside") { _ in }
    beside.padding = [0x80]
    var data = try data(of: beside)
    data["badge"] = "7"
    let alert = try forge("fcm-alert-carriage") { _ in }
    return [
      last,
      try sealed("fcm-application-id", "an app whose ID has an underscore") { $0.topic = Self.topic },
      try sealed("fcm-lifetime-30-days", "valid for longer than FCM keeps it") { $0.lifetime = 2_592_000 },
      try sealed("fcm-lifetime-0", "now or never") { $0.lifetime = 0 },
      OpenedVector(
        id: "fcm-beside", comment: "a member beside the envelope, which is not heeded", forge: beside,
        padding: "other", limit: 4096, payload: data, pushType: "fcm"),
      OpenedVector(
        id: "fcm-alert-carriage",
        comment: "in an alert's skeleton: no opener can tell which service carried it",
        forge: alert, padding: "other", limit: 4096, payload: try alert.payload(), pushType: "alert"),
    ]
  }

  // MARK: What does not

  func degraded() throws -> [DegradedVector] {
    let plain = try forge("fcm-absent") { _ in }
    let issuedAt = Int64(Forge.issuedAt)
    var late = try faulty("fcm-expired", "5.10", .expired, "one second after 28 days and the skew") { _ in }
    late.setting.now = UnixTime(clamping: issuedAt + Int64(Self.longest) + 301)
    var early = try faulty("fcm-early", "5.11", .notYetValid, "issued 301 seconds in the future") { _ in }
    early.setting.now = UnixTime(clamping: issuedAt - 301)
    var strict = try faulty("fcm-anonymous", "5.7", .anonymousNotAccepted, "nobody signed it") {
      $0.signer = nil
    }
    strict.setting.anonymous = false
    var elsewhere = try faulty(
      "fcm-other-topic", "4.1", .notAuthentic, "for the app with that application ID"
    ) {
      $0.topic = Self.topic
    }
    elsewhere.setting.topic = Forge.topic
    var other = try faulty("fcm-other-key", "3.1", .unknownKey, "for another device") {
      $0.recipient = try keys.otherDevice.publicKeys.recipient(suite: .x25519ChaChaPoly)
    }
    other.setting.now = UnixTime(clamping: issuedAt + 60)
    return [
      misplaced("fcm-absent", "1.1", .noEnvelope, "no envelope", [:]),
      misplaced(
        "fcm-inside", "1.1", .noEnvelope, "the whole message in place of its data",
        ["message": ["data": .object(try data(of: plain))]]),
      misplaced(
        "fcm-number", "1.2", .malformedEnvelope, "a value that FCM does not carry", ["ENCRYPTED_DATA": 1]),
      misplaced(
        "fcm-8193", "1.3", .tooLarge, "one byte too many",
        ["ENCRYPTED_DATA": .string(String(repeating: "A", count: 8193))]),
      try faulty("fcm-padding", "2.1", .malformedEnvelope, "a padding character") {
        $0.changeText = { $0 + "=" }
      },
      try faulty("fcm-version", "2.2", .unsupportedVersion, "another version") {
        $0.changeEnvelope = { [2] + $0.dropFirst() }
      },
      other, elsewhere,
      try faulty("fcm-altered", "4.1", .notAuthentic, "a bit of the tag") {
        $0.changeEnvelope = { $0.dropLast() + [($0.last ?? 0) ^ 1] }
      },
      try faulty("fcm-data-as-fcm", "5.3", .malformedContent, "data in a notification's place") {
        $0.firstByte = 0x21
      },
      strict,
      try faulty("fcm-stranger", "5.8", .unknownSender, "a sender whom the device does not trust") {
        $0.signer = try keys.stranger.signingKey()
      },
      try faulty("fcm-signature", "5.9", .badSignature, "a bit of the signature") {
        $0.changeSignature = { [$0[0] ^ 1] + $0.dropFirst() }
      },
      late, early,
      try faulty("fcm-no-text", "6.4", .malformedContent, "nothing to show") {
        $0.content = Array(#"{"aps":{}}"#.utf8)
      },
    ]
  }

  // MARK: Data

  func data() throws -> [DataVector] {
    var wrong = try forge("fcm-notification-as-data") { _ in }
    wrong.padding = [0x80]
    var late = try sealedData("fcm-data-expired", "one second after 28 days and the skew") { _ in }
    late.now = UnixTime(clamping: Int64(Forge.issuedAt) + Int64(Self.longest) + 301)
    late.fault = ("5.10", .expired)
    return [
      try sealedData("fcm-data-signed", "the plain case") { _ in },
      try sealedData("fcm-data-anonymous", "nobody signed it") { $0.signer = nil },
      try sealedData("fcm-data-p256-aesgcm", "another suite") {
        $0.recipient = try keys.recipient(.p256AESGCM)
      },
      try sealedData("fcm-data-maximum", "filled to the limit", padding: .maximum) { _ in },
      try sealedData("fcm-data-none", "not filled", padding: .none) { _ in },
      try sealedData("fcm-data-application-id", "an app whose ID has an underscore") {
        $0.topic = Self.topic
      },
      DataVector(
        id: "fcm-notification-as-data", comment: "a notification in the place of data", pushType: .alert,
        service: .fcm, forge: wrong, padding: "other", payload: try data(of: wrong),
        fault: ("5.3", .malformedContent)),
      late,
    ]
  }

  // MARK: Making them

  private func forge(_ id: String, _ change: (inout Forge) throws -> Void) throws -> Forge {
    var forge = Forge(
      id, to: try keys.recipient(.x25519ChaChaPoly), from: try keys.sender.signingKey())
    forge.lifetime = Self.longest
    forge.content = Array(Self.content.utf8)
    try change(&forge)
    return forge
  }

  private func data(of forge: Forge) throws -> JSONObject { ["ENCRYPTED_DATA": .string(try forge.text())] }

  private func sealed(
    _ id: String, _ comment: String, padding: Padding = .buckets, _ change: (inout Forge) throws -> Void
  ) throws -> OpenedVector {
    let forge = try forge(id, change)
    let message = try forge.sealedForFCM(SealingPolicy(padding: padding))
    return OpenedVector(
      id: id, comment: comment, forge: forge, padding: padding.rawValue, limit: message.budget.limit,
      payload: try JSONObject(parsing: message.data.span), pushType: "fcm")
  }

  private func sealedData(
    _ id: String, _ comment: String, padding: Padding = .buckets, _ change: (inout Forge) throws -> Void
  ) throws -> DataVector {
    let forge = try forge(id) {
      $0.content = Array(Self.news.utf8)
      try change(&$0)
    }
    let message = try forge.sealedForFCM(SealingPolicy(padding: padding, pushType: .background))
    return DataVector(
      id: id, comment: comment, pushType: .background, service: .fcm, forge: forge, padding: padding.rawValue,
      payload: try JSONObject(parsing: message.data.span))
  }

  private func faulty(
    _ id: String, _ rule: String, _ expect: DegradeReason, _ comment: String,
    _ change: (inout Forge) throws -> Void
  ) throws -> DegradedVector {
    misplaced(id, rule, expect, comment, try data(of: try forge(id, change)))
  }

  private func misplaced(
    _ id: String, _ rule: String, _ expect: DegradeReason, _ comment: String, _ payload: JSONObject
  ) -> DegradedVector {
    DegradedVector(
      id: id, rule: rule, comment: comment, expect: expect, payload: payload, pushType: "fcm")
  }
}
