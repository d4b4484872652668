public import PushCore
internal import PushKeys

/// The stand-in's settings: what it knows about your team, and how it behaves.
public struct APNsSettings: Sendable {
  /// The environment that it stands in for: a token of the other one is unknown.
  public var environment = APNsEnvironment.sandbox

  /// The keys whose provider tokens are valid; with nil, every well-formed token is valid, whoever signed it.
  public var providerKeys: [ProviderKey]?

  /// The most new provider tokens that a team may use in 20 minutes, 1 or more: 1, as Apple says.
  ///
  /// A program in development makes one at each start, and needs more.
  public var newTokensIn20Minutes = 1

  /// The apps of the team; nil for every app.
  public var topics: Set<Topic>?

  /// Whether a push to a token without a phone is accepted, although nothing shows it: for measurements, and for a
  /// backend with its own tokens.
  public var acceptsUnknownTokens = false

  /// The most background pushes that wake an app in an hour, 0 or more: Apple says two or three.
  public var backgroundPushesInAnHour = 3

  /// The most streams that a connection may have at once after it has sent a valid provider token, 1 to 2^31 - 1; before
  /// that, one.
  public var concurrentStreams = 1000

  /// The most pushes that the log keeps, 1 or more; each takes about 2 KB.
  public var loggedPushes = 1000

  /// Makes the default settings.
  public init() {}

  /// Checks every property.
  func check() throws(ConfigurationError) {
    let check = PropertyCheck()
    try check.require("newTokensIn20Minutes", newTokensIn20Minutes)
    try check.require("backgroundPushesInAnHour", backgroundPushesInAnHour, atLeast: 0)
    let most = Int(Int32.max)
    try check.require("concurrentStreams", mustBe: "1 to \(most)", (1...most).contains(concurrentStreams))
    try check.require("loggedPushes", loggedPushes)
  }
}
