internal import PushCore

/// Why APNs did not accept a push: the `reason` in its answer ("Handling notification responses from APNs").
///
/// A reason that is not listed here is kept as its text.
public struct APNsReason: RawRepresentable, Hashable, Sendable {
  /// The reason's name, as APNs writes it.
  public let rawValue: String

  /// Takes any name.
  public init(rawValue: String) { self.rawValue = rawValue }

  private init(_ name: String) { rawValue = name }

  /// The longest reason that an answer may give, in bytes.
  private static let maximumSize = 64

  /// Takes the text of an answer, which goes into logs: letters and digits only; nil for any other text.
  init?(answered text: String) {
    let isWord = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
    }
    guard isWord, (1...Self.maximumSize).contains(text.utf8.count) else { return nil }
    rawValue = text
  }

  /// Reads what APNs says as it ends a connection; nil if it gives no reason.
  init?(goodbye words: [UInt8]) {
    guard !words.isEmpty, let object = try? JSONObject(parsing: words.span, maximumDepth: 8),
      let text = object["reason"]?.string
    else { return nil }
    self.init(answered: text)
  }

  /// 400: the device token is invalid, or belongs to the other environment.
  public static let badDeviceToken = APNsReason("BadDeviceToken")
  /// 400: the device token belongs to another app.
  public static let deviceTokenNotForTopic = APNsReason("DeviceTokenNotForTopic")
  /// 400: the collapse ID is too long.
  public static let badCollapseID = APNsReason("BadCollapseId")
  /// 400: the expiration is invalid.
  public static let badExpirationDate = APNsReason("BadExpirationDate")
  /// 400: the message ID is invalid.
  public static let badMessageID = APNsReason("BadMessageId")
  /// 400: the priority is invalid.
  public static let badPriority = APNsReason("BadPriority")
  /// 400: the topic is invalid.
  public static let badTopic = APNsReason("BadTopic")
  /// 400: a header came twice.
  public static let duplicateHeaders = APNsReason("DuplicateHeaders")
  /// 400: the push type is invalid.
  public static let invalidPushType = APNsReason("InvalidPushType")
  /// 400: the device token is missing.
  public static let missingDeviceToken = APNsReason("MissingDeviceToken")
  /// 400: the topic is missing.
  public static let missingTopic = APNsReason("MissingTopic")
  /// 400: the payload is empty.
  public static let payloadEmpty = APNsReason("PayloadEmpty")
  /// 400: pushes to this topic are not allowed.
  public static let topicDisallowed = APNsReason("TopicDisallowed")
  /// 400: the connection was idle for too long.
  public static let idleTimeout = APNsReason("IdleTimeout")
  /// 403: the provider token is too old.
  public static let expiredProviderToken = APNsReason("ExpiredProviderToken")
  /// 403: the provider token is invalid.
  public static let invalidProviderToken = APNsReason("InvalidProviderToken")
  /// 403: the provider token is missing.
  public static let missingProviderToken = APNsReason("MissingProviderToken")
  /// 403: the action is not allowed.
  public static let forbidden = APNsReason("Forbidden")
  /// 403: the certificate is invalid.
  public static let badCertificate = APNsReason("BadCertificate")
  /// 403: the certificate is for the other environment.
  public static let badCertificateEnvironment = APNsReason("BadCertificateEnvironment")
  /// 403: the key belongs to another team than the connection.
  public static let unrelatedKeyIDInToken = APNsReason("UnrelatedKeyIdInToken")
  /// 403: the key is for the other environment.
  public static let badEnvironmentKeyIDInToken = APNsReason("BadEnvironmentKeyIdInToken")
  /// 403: another spelling of ``badEnvironmentKeyIDInToken``.
  public static let badEnvironmentKeyInToken = APNsReason("BadEnvironmentKeyInToken")
  /// 404: the path is invalid.
  public static let badPath = APNsReason("BadPath")
  /// 405: the method is not POST.
  public static let methodNotAllowed = APNsReason("MethodNotAllowed")
  /// 410: the device token has expired.
  public static let expiredToken = APNsReason("ExpiredToken")
  /// 410: the app is no longer registered on the device.
  public static let unregistered = APNsReason("Unregistered")
  /// 413: the payload is too large.
  public static let payloadTooLarge = APNsReason("PayloadTooLarge")
  /// 429: the provider token changes too often.
  public static let tooManyProviderTokenUpdates = APNsReason("TooManyProviderTokenUpdates")
  /// 429: too many pushes to this device.
  public static let tooManyRequests = APNsReason("TooManyRequests")
  /// 500: APNs failed.
  public static let internalServerError = APNsReason("InternalServerError")
  /// 503: APNs is not available.
  public static let serviceUnavailable = APNsReason("ServiceUnavailable")
  /// 503: the server is shutting down.
  public static let shutdown = APNsReason("Shutdown")
}

extension APNsReason {
  /// Those of Apple's table.
  private static let table: Set<APNsReason> = [
    .badDeviceToken,
    .deviceTokenNotForTopic,
    .badCollapseID,
    .badExpirationDate,
    .badMessageID,
    .badPriority,
    .badTopic,
    .duplicateHeaders,
    .invalidPushType,
    .missingDeviceToken,
    .missingTopic,
    .payloadEmpty,
    .topicDisallowed,
    .idleTimeout,
    .expiredProviderToken,
    .invalidProviderToken,
    .missingProviderToken,
    .forbidden,
    .badCertificate,
    .badCertificateEnvironment,
    .unrelatedKeyIDInToken,
    .badEnvironmentKeyIDInToken,
    .badEnvironmentKeyInToken,
    .badPath,
    .methodNotAllowed,
    .expiredToken,
    .unregistered,
    .payloadTooLarge,
    .tooManyProviderTokenUpdates,
    .tooManyRequests,
    .internalServerError,
    .serviceUnavailable,
    .shutdown,
  ]

  /// Whether it is in Apple's table, so that an answer with it is APNs' own.
  package var isKnown: Bool { Self.table.contains(self) }
}

extension APNsReason: CustomStringConvertible {
  /// The reason's name.
  public var description: String { rawValue }
}
