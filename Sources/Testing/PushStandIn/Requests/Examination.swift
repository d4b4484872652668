internal import PushCore
internal import PushEnrolment
internal import PushKeys

/// A request and everything that it is checked against, read once.
struct Examination {
  let request: APNsRequest
  let settings: APNsSettings
  let now: UnixTime
  /// The key of the connection's first push; nil before that.
  let connectionKey: ConnectionKey?
  let providerTokens: ProviderTokens

  let bearer: BearerToken?
  let deviceTokenText: Substring?
  let registration: TokenRegistry.Registration?
  let kind: PushKind?

  init(
    request: APNsRequest, bearer: BearerToken?, settings: APNsSettings, tokens: TokenRegistry,
    connectionKey: ConnectionKey?,
    providerTokens: ProviderTokens, at now: UnixTime
  ) {
    self.request = request
    self.settings = settings
    self.now = now
    self.connectionKey = connectionKey
    self.providerTokens = providerTokens
    self.bearer = bearer
    let hasPath = request.path.hasPrefix(APNsRequest.devicePath)
    deviceTokenText = hasPath ? request.path.dropFirst(APNsRequest.devicePath.count) : nil
    registration = deviceTokenText.flatMap { try? DeviceToken(String($0)) }.flatMap { tokens[$0] }
    // Apple requires the header only for watchOS, although it recommends it everywhere.
    kind = request["apns-push-type"].map { PushKind(rawValue: $0) } ?? .alert
  }

  /// The topic without the push type's suffix; nil if it is malformed, or another type's.
  var topic: Topic? {
    guard let text = request["apns-topic"], let kind, text.hasSuffix(kind.topicSuffix) else { return nil }
    return try? Topic(String(text.dropLast(kind.topicSuffix.count)))
  }

  /// Whether the push type admits the priority: a background push must have the header.
  var isPriorityAllowed: Bool {
    let priority = request["apns-priority"].map(\.decimal) ?? PushKind.defaultPriority
    return priority.map { kind?.priorities.contains($0) == true } ?? false
  }

  /// Whether the team may push to the topic.
  var teamOwnsTopic: Bool { settings.topics.map { topics in topic.map(topics.contains) ?? false } ?? true }

  /// Whether the payload is an object that is not empty; for most push types it must have `aps`.
  var hasContent: Bool {
    guard let payload = try? JSONObject(parsing: request.body.span), !payload.isEmpty else { return false }
    return payload["aps"]?.object != nil || kind?.needsAPS == false
  }

  /// The phone's token that the path names; nil if it is malformed or unknown, or for the other environment.
  var here: TokenRegistry.Registration? {
    registration?.phone.environment == settings.environment ? registration : nil
  }

  /// Whether the token is the topic's, and of the kind that the push type goes to.
  var isTokenForTopic: Bool { here?.phone.topic == topic && here?.kind == kind?.tokenKind }

  /// Whether the path names a token that no phone has, and the settings accept it.
  var isStrangerWelcome: Bool {
    settings.acceptsUnknownTokens && registration == nil
      && deviceTokenText.flatMap { try? DeviceToken(String($0)) } != nil
  }

  /// Whether a header is repeated.
  var hasDuplicateHeaders: Bool { Set(request.headers.map(\.name)).count < request.headers.count }

  /// Whether the token belongs to the connection's team, and is signed by one of its keys.
  var isTokenTeams: Bool {
    guard let bearer, !bearer.isFromFuture(at: now) else { return false }
    guard connectionKey.map({ $0.teamID == bearer.teamID }) ?? true else { return false }
    return providerTokens.knows(bearer) || settings.providerKeys?.contains { $0.verifies(bearer) } ?? true
  }

  /// Whether the token's key is the first that the connection used.
  var isConnectionKey: Bool { connectionKey.map { $0.keyID == bearer?.keyID } ?? true }

  /// Whether the token's key is for this environment.
  var isKeyForEnvironment: Bool {
    let key = settings.providerKeys?.first { $0.keyID == bearer?.keyID }
    return key?.environment.map { $0 == settings.environment } ?? true
  }

  /// Whether the team may use the token: new ones are limited.
  var isTokenAllowed: Bool {
    bearer.map {
      providerTokens.allows($0, newTokens: settings.newTokensIn20Minutes, at: now)
    } ?? false
  }

  /// Whether a header is missing, or its value fulfils a condition.
  func isAbsent(_ header: String, or isValid: (String) -> Bool) -> Bool {
    request[header].map(isValid) ?? true
  }

  /// The first check that the request does not pass; nil if it passes all.
  func firstRefusal(by checks: [RequestCheck]) -> Refusal? {
    checks.first { !$0.isPassed(self) }?.refusal
  }
}

/// The key of a connection's first push: later pushes must use the same one.
struct ConnectionKey: Hashable {
  let teamID: String
  let keyID: String

  init(of token: BearerToken) {
    teamID = token.teamID
    keyID = token.keyID
  }
}
