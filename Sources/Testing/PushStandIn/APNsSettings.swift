public import PushCore
internal import PushKeys

/// The stand-in's settings: what it knows about your team, and how it behaves.
public struct APNsSettings: Sendable {
  /// The environment that it stands in for: a token of the other one is unknown.
  public var environment = APNsEnvironment.sandbox

  /// The keys whose provider tokens are valid; with nil, every well-formed token is valid, whoever signed it.
  public var providerKeys: [ProviderKey]?

  /// The most new provider tokens that a team may use in 20 minutes: 1, as Apple says.
  ///
  /// A program in development makes one at each start, and needs more.
  public var newTokensIn20Minutes = 1

  /// The apps of the team; nil for every app.
  public var topics: Set<Topic>?

  /// Whether a push to a token without a phone is accepted, although nothing shows it: for measurements, and for a
  /// backend with its own tokens.
  public var acceptsUnknownTokens = false

  /// The most background pushes that wake an app in an hour: Apple says two or three.
  public var backgroundPushesInAnHour = 3

  /// The most streams that a connection may have at once after it has sent a valid provider token; before that, one.
  public var concurrentStreams = 1000

  /// The most pushes that the log keeps; each takes about 2 KB.
  public var loggedPushes = 1000

  /// Makes the default settings.
  public init() {}
}
