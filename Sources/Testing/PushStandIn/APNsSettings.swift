public import PushCore
internal import PushKeys

/// What the stand-in's APNs knows of you, and how it behaves.
public struct APNsSettings: Sendable {
  /// The environment that it plays: a token of the other one is unknown.
  public var environment = APNsEnvironment.sandbox

  /// The keys whose provider tokens are valid; nil for every token that is well-formed, whoever signed it.
  public var providerKeys: [ProviderKey]?

  /// How many new provider tokens a team may use in 20 minutes: 1, as Apple says.
  ///
  /// A program that is being developed makes one at each start, and needs more.
  public var newTokensIn20Minutes = 1

  /// The apps of the team; nil for every app.
  public var topics: Set<Topic>?

  /// Whether a push to a token without a phone is accepted, and shown nowhere: for measuring, and for a backend that has
  /// tokens of its own.
  public var acceptsUnknownTokens = false

  /// How many background pushes wake an app in an hour: Apple says two or three.
  public var backgroundPushesInAnHour = 3

  /// How many streams a connection may have at once, after a valid provider token was seen; one before that.
  public var concurrentStreams = 1000

  /// How many pushes the log keeps; each takes about 2 KB.
  public var loggedPushes = 1000

  /// Makes the default settings.
  public init() {}
}
