public import PushCore

/// The keys of one team or of several, of which each push has one.
///
/// ```swift
/// let keys = try APNsKeys([
///   APNsKey(shop, topics: [shopTopic]),
///   APNsKey(bankTest, topics: [bankTopic], environments: [.sandbox]),
///   APNsKey(bank, topics: [bankTopic], environments: [.production]),
/// ])
/// let client = try APNsClient(keys: keys)
/// ```
public struct APNsKeys: Sendable {
  private struct Place: Hashable {
    let topic: Topic
    let environment: APNsEnvironment
  }

  /// No dictionary, because each push looks in it, and the hash of an environment is that of its name.
  private struct Others {
    private var sandbox, production: Int?

    subscript(environment: APNsEnvironment) -> Int? {
      get {
        switch environment {
        case .sandbox: sandbox
        case .production: production
        }
      }
      set {
        switch environment {
        case .sandbox: sandbox = newValue
        case .production: production = newValue
        }
      }
    }
  }

  /// The keys, in the order in which they were given.
  public let all: [APNsKey]

  /// The numbers of the keys of those apps that a key names.
  private var named: [Place: Int] = [:]
  /// The numbers of the keys of all other apps.
  private var others = Others()

  /// One key for everything.
  public init(_ token: ProviderToken) {
    all = [APNsKey(token)]
    for environment in APNsEnvironment.allCases { others[environment] = 0 }
  }

  /// Several keys, of which no two are for the same app and environment.
  ///
  /// - Throws: `ConfigurationError`, which names the key that is wrong: `keys[2].topics`.
  public init(_ keys: [APNsKey]) throws(ConfigurationError) {
    all = keys
    let check = PropertyCheck()
    try check.require("keys", mustBe: "at least one", !keys.isEmpty)
    for (number, key) in keys.enumerated() {
      let name = "keys[\(number)]"
      try check.require("\(name).environments", mustBe: "at least one", !key.environments.isEmpty)
      try check.require("\(name).topics", mustBe: "nil, or at least one", key.topics?.isEmpty != true)
      for environment in key.environments {
        guard let topics = key.topics else {
          let rule = "given, because another key is for all other apps in \(environment.rawValue)"
          try check.require("\(name).topics", mustBe: rule, others[environment] == nil)
          others[environment] = number
          continue
        }
        for topic in topics {
          let place = Place(topic: topic, environment: environment)
          let rule = "without \(topic), which another key has in \(environment.rawValue)"
          try check.require("\(name).topics", mustBe: rule, named[place] == nil)
          named[place] = number
        }
      }
    }
  }

  /// The key of the pushes to an app in an environment; nil if there is none.
  public func key(for topic: Topic, in environment: APNsEnvironment) -> APNsKey? {
    // A client with one key looks nothing up.
    if named.isEmpty { return others[environment].map { all[$0] } }
    return (named[Place(topic: topic, environment: environment)] ?? others[environment]).map { all[$0] }
  }
}
