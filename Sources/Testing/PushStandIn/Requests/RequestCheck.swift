internal import PushCore

/// A check that APNs makes of a request; the first check that fails decides the answer.
///
/// Apple documents the checks, but not their order.
struct RequestCheck: Sendable {
  /// The answer if the check fails.
  let refusal: Refusal

  /// Whether a request passes the check.
  let isPassed: @Sendable (Examination) -> Bool

  private init(_ refusal: Refusal, unless isPassed: @escaping @Sendable (Examination) -> Bool) {
    self.refusal = refusal
    self.isPassed = isPassed
  }

  /// The checks of the request's form and of its sender.
  static let ofSender: [RequestCheck] = [
    .init(.methodNotAllowed) { $0.request.method == "POST" },
    .init(.badPath) { $0.deviceTokenText != nil },
    .init(.missingDeviceToken) { $0.deviceTokenText?.isEmpty == false },
    .init(.duplicateHeaders) { !$0.hasDuplicateHeaders },
    .init(.missingProviderToken) { BearerToken.isPresent(in: $0.request) },
    .init(.invalidProviderToken) { $0.isTokenTeams },
    .init(.expiredProviderToken) { $0.bearer?.isExpired(at: $0.now) == false },
    .init(.unrelatedKeyIDInToken) { $0.isConnectionKey },
    .init(.badEnvironmentKeyIDInToken) { $0.isKeyForEnvironment },
    .init(.tooManyProviderTokenUpdates) { $0.isTokenAllowed },
  ]

  /// The checks of the push and of its device.
  static let ofPush: [RequestCheck] = [
    .init(.invalidPushType) { $0.kind != nil },
    .init(.badMessageID) { $0.isAbsent("apns-id") { (try? MessageID($0)) != nil } },
    .init(.badExpirationDate) { $0.isAbsent("apns-expiration") { $0.decimal != nil } },
    .init(.badPriority) { $0.isPriorityAllowed },
    .init(.badCollapseID) { $0.isAbsent("apns-collapse-id") { (1...64).contains($0.utf8.count) } },
    .init(.missingTopic) { $0.request["apns-topic"]?.isEmpty == false },
    .init(.badTopic) { $0.topic != nil },
    .init(.topicDisallowed) { $0.teamOwnsTopic },
    .init(.payloadEmpty) { !$0.request.body.isEmpty },
    .init(.payloadTooLarge) { $0.request.body.count <= $0.kind?.limit.bytes ?? 0 },
    // No documented reason says that a payload is not JSON, or has no `aps`.
    .init(.payloadEmpty) { $0.hasContent },
    .init(.badDeviceToken) { $0.here != nil || $0.isStrangerWelcome },
    .init(.deviceTokenNotForTopic) { $0.isTokenForTopic || $0.isStrangerWelcome },
    .init(.expiredToken) { $0.here?.end?.refusal != .expiredToken },
    .init(.unregistered) { $0.here?.end?.refusal != .unregistered },
  ]
}

extension String {
  /// The number that the text writes in decimal digits alone; nil if it has other characters, or does not fit.
  var decimal: Int64? { utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(self) : nil }
}
