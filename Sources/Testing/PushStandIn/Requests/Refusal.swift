/// A refusal: the status and the reason that APNs answers with.
///
/// Source: Apple, "Handling notification responses from APNs".
public struct Refusal: Hashable, Sendable {
  /// The HTTP status.
  public let status: Int

  /// The word that says why, such as `BadDeviceToken`.
  public let reason: String

  /// Makes a refusal; its reason may be one that Apple does not document.
  public init(status: Int, reason: String) {
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
  /// 400: the collapse ID is empty or longer than 64 bytes.
  public static let badCollapseID = Refusal(status: 400, reason: "BadCollapseId")
  /// 400: the device token is malformed, unknown, or for the other environment.
  public static let badDeviceToken = Refusal(status: 400, reason: "BadDeviceToken")
  /// 400: the expiration is not a number of seconds.
  public static let badExpirationDate = Refusal(status: 400, reason: "BadExpirationDate")
  /// 400: the message ID is not a UUID.
  public static let badMessageID = Refusal(status: 400, reason: "BadMessageId")
  /// 400: the priority is not 10, 5 or 1, or a background push does not have 5.
  public static let badPriority = Refusal(status: 400, reason: "BadPriority")
  /// 400: the topic is malformed, or lacks the push type's suffix.
  public static let badTopic = Refusal(status: 400, reason: "BadTopic")
  /// 400: the device token belongs to another app, or is not of the kind that the push type goes to.
  public static let deviceTokenNotForTopic = Refusal(status: 400, reason: "DeviceTokenNotForTopic")
  /// 400: a header is repeated.
  public static let duplicateHeaders = Refusal(status: 400, reason: "DuplicateHeaders")
  /// 400: the connection was idle for too long.
  public static let idleTimeout = Refusal(status: 400, reason: "IdleTimeout")
  /// 400: Apple defines no such push type.
  public static let invalidPushType = Refusal(status: 400, reason: "InvalidPushType")
  /// 400: the path ends before the device token.
  public static let missingDeviceToken = Refusal(status: 400, reason: "MissingDeviceToken")
  /// 400: there is no topic.
  public static let missingTopic = Refusal(status: 400, reason: "MissingTopic")
  /// 400: there is no payload.
  public static let payloadEmpty = Refusal(status: 400, reason: "PayloadEmpty")
  /// 400: the topic is not the team's.
  public static let topicDisallowed = Refusal(status: 400, reason: "TopicDisallowed")
  /// 403: the client's certificate is invalid.
  public static let badCertificate = Refusal(status: 403, reason: "BadCertificate")
  /// 403: the client's certificate is for the other environment.
  public static let badCertificateEnvironment = Refusal(status: 403, reason: "BadCertificateEnvironment")
  /// 403: the provider token's key is for the other environment.
  public static let badEnvironmentKeyIDInToken = Refusal(status: 403, reason: "BadEnvironmentKeyIdInToken")
  /// 403: the provider token is older than an hour.
  public static let expiredProviderToken = Refusal(status: 403, reason: "ExpiredProviderToken")
  /// 403: the request is not allowed.
  public static let forbidden = Refusal(status: 403, reason: "Forbidden")
  /// 403: the provider token is malformed or not signed by the team's key.
  public static let invalidProviderToken = Refusal(status: 403, reason: "InvalidProviderToken")
  /// 403: there is no provider token.
  public static let missingProviderToken = Refusal(status: 403, reason: "MissingProviderToken")
  /// 403: the provider token has another key than the connection's first.
  public static let unrelatedKeyIDInToken = Refusal(status: 403, reason: "UnrelatedKeyIdInToken")
  /// 404: the path is not `/3/device/` and a token.
  public static let badPath = Refusal(status: 404, reason: "BadPath")
  /// 405: the method is not POST.
  public static let methodNotAllowed = Refusal(status: 405, reason: "MethodNotAllowed")
  /// 410: the device token was replaced by another.
  public static let expiredToken = Refusal(status: 410, reason: "ExpiredToken")
  /// 410: the app was deleted from the device.
  public static let unregistered = Refusal(status: 410, reason: "Unregistered")
  /// 413: the payload is longer than 4096 bytes, or 5120 for `voip`.
  public static let payloadTooLarge = Refusal(status: 413, reason: "PayloadTooLarge")
  /// 429: the team makes provider tokens too often.
  public static let tooManyProviderTokenUpdates = Refusal(status: 429, reason: "TooManyProviderTokenUpdates")
  /// 429: there were too many pushes to one device.
  public static let tooManyRequests = Refusal(status: 429, reason: "TooManyRequests")
  /// 500: Apple's servers failed.
  public static let internalServerError = Refusal(status: 500, reason: "InternalServerError")
  /// 503: the service is not available.
  public static let serviceUnavailable = Refusal(status: 503, reason: "ServiceUnavailable")
  /// 503: the server is being shut down.
  public static let shutdown = Refusal(status: 503, reason: "Shutdown")

  /// All refusals in Apple's table.
  ///
  /// Some come from no check of a request; a ``Fault`` can still use them: those about a client's certificate,
  /// which the stand-in never asks for, and those about failures of Apple's servers.
  public static let all: [Refusal] = [
    badCollapseID, badDeviceToken, badExpirationDate, badMessageID, badPriority, badTopic,
    deviceTokenNotForTopic, duplicateHeaders, idleTimeout, invalidPushType, missingDeviceToken, missingTopic,
    payloadEmpty, topicDisallowed, badCertificate, badCertificateEnvironment, badEnvironmentKeyIDInToken,
    expiredProviderToken, forbidden, invalidProviderToken, missingProviderToken, unrelatedKeyIDInToken,
    badPath, methodNotAllowed, expiredToken, unregistered, payloadTooLarge, tooManyProviderTokenUpdates,
    tooManyRequests, internalServerError, serviceUnavailable, shutdown,
  ]
}
