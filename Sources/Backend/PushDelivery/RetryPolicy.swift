public import PushCore

/// What a client does about answers and failures, as values that you can change.
public struct RetryPolicy: Sendable {
  /// What a client does about an answer.
  public enum Action: Hashable, Sendable {
    /// Gives the answer to the caller.
    case end
    /// Sends the push again after a wait, which grows with each attempt.
    case retry
    /// Sends the push again, on a new connection, which does not count as an attempt.
    case reconnect
    /// Sends the push again with a new provider token, once. Stops the route if no new token is allowed yet, or if APNs
    /// refuses that one too.
    case renewToken
    /// Gives the answer to the caller, and sends nothing on the route until ``APNsClient/resume(_:)``: its other pushes
    /// end with an error.
    case stopRoute
    /// Sends nothing on the route for this time, then sends the push again.
    case pauseRoute(Duration)
  }

  /// Actions by reason.
  public var actions: [APNsReason: Action] = [
    .idleTimeout: .reconnect,
    .expiredProviderToken: .renewToken,
    .invalidProviderToken: .stopRoute, .missingProviderToken: .stopRoute, .forbidden: .stopRoute,
    .badCertificate: .stopRoute, .badCertificateEnvironment: .stopRoute, .unrelatedKeyIDInToken: .stopRoute,
    .badEnvironmentKeyIDInToken: .stopRoute, .badEnvironmentKeyInToken: .stopRoute,
    .tooManyProviderTokenUpdates: .pauseRoute(.seconds(20 * 60)),
  ]

  /// Actions by status, for reasons that have no action.
  ///
  /// An answer that is not APNs' own is retried where this says ``Action/retry``, and stops the route otherwise.
  public var actionsByStatus: [Int: Action] = [
    403: .stopRoute, 429: .retry, 500: .retry, 502: .retry, 503: .retry,
  ]

  /// How often a push may be sent, 1 or more.
  public var maximumAttempts = 5

  /// How long a push may take with all its attempts.
  public var totalTime = Duration.seconds(3600)

  /// How long one attempt may take, from the moment when the connection has it.
  public var attemptTime = Duration.seconds(30)

  /// The wait after the first attempt.
  public var firstDelay = Duration.seconds(1)

  /// How the wait grows with each further attempt, 1 to 1000.
  public var growth = 4.0

  /// The longest wait.
  public var maximumDelay = Duration.seconds(15 * 60)

  /// The longest wait before another attempt to connect.
  public var maximumReconnectDelay = Duration.seconds(60)

  /// The share of a wait that is random, 0 to 1, so that pushes that failed together do not all come back together.
  public var jitter = 0.5

  /// How many devices in a row APNs may refuse before the route stops; nil to go on in any case.
  ///
  /// So many refusals (`BadDeviceToken`, `DeviceTokenNotForTopic`) mean that the environment or the topic is wrong. The
  /// count begins anew when APNs accepts a push, or says that a token is no longer valid. Addresses that no device has
  /// proven do not count: see `AddressedPush.isProven`.
  public var badDevicesInARow: Int? = 100

  /// How many pushes in a row APNs may refuse for the same reason, as if each was wrong, before the route stops; nil to go
  /// on in any case.
  ///
  /// So many (`TopicDisallowed`, `BadTopic`, `InvalidPushType`) mean that the configuration is wrong. The pushes that are
  /// refused from then on end with an error in place of APNs' answer, also after the route is resumed, until APNs accepts
  /// a push. Addresses that no device has proven do not count.
  public var equalRefusalsInARow: Int? = 100

  /// How long a route may take for as many pushes as a sequence may have on their way on it.
  ///
  /// A slower route is held up. So that it does not delay others, a sequence gives its next pushes back unsent until it
  /// is faster again: see `send(_:atATime:)`.
  public var patience = Duration.seconds(60)

  /// Makes the policy that suits APNs.
  public init() {}

  /// Checks every property, as a client does with its policy: numbers are in the ranges that are given, and times are not
  /// negative, and at most a century.
  ///
  /// - Throws: `ConfigurationError`.
  public func check() throws(ConfigurationError) {
    let check = PropertyCheck(of: "retries")
    try check.require("maximumAttempts", maximumAttempts)
    try check.require("totalTime", totalTime)
    try check.require("attemptTime", attemptTime)
    try check.require("firstDelay", firstDelay)
    try check.require("growth", growth, in: 1...1000)
    try check.require("maximumDelay", maximumDelay)
    try check.require("maximumReconnectDelay", maximumReconnectDelay)
    try check.require("jitter", jitter, in: 0...1)
    if let badDevicesInARow { try check.require("badDevicesInARow", badDevicesInARow) }
    if let equalRefusalsInARow { try check.require("equalRefusalsInARow", equalRefusalsInARow) }
    try check.require("patience", patience)
    for (reason, action) in actions {
      if case .pauseRoute(let time) = action { try check.require("actions[\(reason.rawValue)]", time) }
    }
    for (status, action) in actionsByStatus {
      if case .pauseRoute(let time) = action { try check.require("actionsByStatus[\(status)]", time) }
    }
  }

  /// What to do about an answer.
  public func action(for response: APNsResponse) -> Action {
    if response.isAccepted { return .end }
    return response.reason.flatMap { actions[$0] } ?? actionsByStatus[response.status] ?? .end
  }

  /// Whether to send a push again after an answer that is not APNs'; otherwise its route stops.
  func sendsAgain(after answer: StrangeAnswer) -> Bool { actionsByStatus[answer.status] == .retry }

  /// The wait after so many failures; `random` is from 0 to 1.
  func delay(after failures: Int, random: Double, atLeast least: Duration? = nil) -> Duration {
    var delay = firstDelay
    for _ in 1..<max(2, min(failures, 64)) where failures > 1 && delay < maximumDelay {
      delay = delay * growth
    }
    delay = min(delay, maximumDelay)
    return max(delay * (1 - jitter * random), least ?? .zero)
  }

  /// The wait before another attempt to connect, after so many useless ones.
  func reconnectDelay(after failures: Int, random: Double) -> Duration {
    min(delay(after: failures, random: random), maximumReconnectDelay * (1 - jitter * random))
  }

  /// The wait after a stream was refused so many times on a connection that stays: short, since nothing was processed.
  func refusalDelay(after refusals: Int, random: Double) -> Duration {
    min(firstDelay, .milliseconds(10 << min(refusals, 20))) * (1 - jitter * random)
  }
}
