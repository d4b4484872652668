/// A refusal: the status and the reason that APNs answers with.
///
/// Source: Apple, "Handling notification responses from APNs".
public struct Refusal: Hashable, Sendable {
  /// The HTTP status.
  public let status: Int

  /// The word that says why, such as `BadDeviceToken`.
  public let reason: String

  /// Makes a refusal, which may have a reason that Apple does not document.
  public init(_ status: Int, _ reason: String) {
    self.status = status
    self.reason = reason
  }
}

extension Refusal: CustomStringConvertible {
  /// The status and the reason.
  public var description: String { "\(status) \(reason)" }
}

/// Apple's table.
extension Refusal {
  /// 400: the collapse ID is longer than 64 bytes.
  public static let badCollapseID = Refusal(400, "BadCollapseId")
  /// 400: the device token is malformed, unknown, or for the other environment.
  public static let badDeviceToken = Refusal(400, "BadDeviceToken")
  /// 400: the expiration is not a number of seconds.
  public static let badExpirationDate = Refusal(400, "BadExpirationDate")
  /// 400: the message ID is not a UUID.
  public static let badMessageID = Refusal(400, "BadMessageId")
  /// 400: the priority is not 10, 5 or 1, or not 5 for a background push.
  public static let badPriority = Refusal(400, "BadPriority")
  /// 400: the topic is malformed, or lacks the push type's suffix.
  public static let badTopic = Refusal(400, "BadTopic")
  /// 400: the device token belongs to another app.
  public static let deviceTokenNotForTopic = Refusal(400, "DeviceTokenNotForTopic")
  /// 400: a header is repeated.
  public static let duplicateHeaders = Refusal(400, "DuplicateHeaders")
  /// 400: the connection was idle for too long.
  public static let idleTimeout = Refusal(400, "IdleTimeout")
  /// 400: Apple defines no such push type.
  public static let invalidPushType = Refusal(400, "InvalidPushType")
  /// 400: the path ends before the device token.
  public static let missingDeviceToken = Refusal(400, "MissingDeviceToken")
  /// 400: there is no topic.
  public static let missingTopic = Refusal(400, "MissingTopic")
  /// 400: there is no payload.
  public static let payloadEmpty = Refusal(400, "PayloadEmpty")
  /// 400: the topic is not the team's.
  public static let topicDisallowed = Refusal(400, "TopicDisallowed")
  /// 403: the client's certificate is invalid.
  public static let badCertificate = Refusal(403, "BadCertificate")
  /// 403: the client's certificate is for the other environment.
  public static let badCertificateEnvironment = Refusal(403, "BadCertificateEnvironment")
  /// 403: the provider token's key is for the other environment.
  public static let badEnvironmentKeyIDInToken = Refusal(403, "BadEnvironmentKeyIdInToken")
  /// 403: the provider token is older than an hour.
  public static let expiredProviderToken = Refusal(403, "ExpiredProviderToken")
  /// 403: the request is not allowed.
  public static let forbidden = Refusal(403, "Forbidden")
  /// 403: the provider token is malformed or not signed by the team's key.
  public static let invalidProviderToken = Refusal(403, "InvalidProviderToken")
  /// 403: there is no provider token.
  public static let missingProviderToken = Refusal(403, "MissingProviderToken")
  /// 403: the provider token has another key than the connection's first.
  public static let unrelatedKeyIDInToken = Refusal(403, "UnrelatedKeyIdInToken")
  /// 404: the path is not `/3/device/` and a token.
  public static let badPath = Refusal(404, "BadPath")
  /// 405: the method is not POST.
  public static let methodNotAllowed = Refusal(405, "MethodNotAllowed")
  /// 410: the device token was replaced by another.
  public static let expiredToken = Refusal(410, "ExpiredToken")
  /// 410: the app was deleted from the device.
  public static let unregistered = Refusal(410, "Unregistered")
  /// 413: the payload is longer than 4096 bytes, or 5120 for `voip`.
  public static let payloadTooLarge = Refusal(413, "PayloadTooLarge")
  /// 429: the team makes provider tokens too often.
  public static let tooManyProviderTokenUpdates = Refusal(429, "TooManyProviderTokenUpdates")
  /// 429: there were too many pushes to one device.
  public static let tooManyRequests = Refusal(429, "TooManyRequests")
  /// 500: something went wrong at Apple's.
  public static let internalServerError = Refusal(500, "InternalServerError")
  /// 503: the service is not available.
  public static let serviceUnavailable = Refusal(503, "ServiceUnavailable")
  /// 503: the server is being shut down.
  public static let shutdown = Refusal(503, "Shutdown")

  /// All of them.
  ///
  /// Those that no check leads to (`RequestCheck`) are for a ``FaultScript``: a certificate that the stand-in never
  /// asks for, and what happens only at Apple's.
  public static let all: [Refusal] = [
    badCollapseID, badDeviceToken, badExpirationDate, badMessageID, badPriority, badTopic,
    deviceTokenNotForTopic, duplicateHeaders, idleTimeout, invalidPushType, missingDeviceToken, missingTopic,
    payloadEmpty, topicDisallowed, badCertificate, badCertificateEnvironment, badEnvironmentKeyIDInToken,
    expiredProviderToken, forbidden, invalidProviderToken, missingProviderToken, unrelatedKeyIDInToken,
    badPath, methodNotAllowed, expiredToken, unregistered, payloadTooLarge, tooManyProviderTokenUpdates,
    tooManyRequests, internalServerError, serviceUnavailable, shutdown,
  ]
}
