internal import PushCommands
internal import PushCore
internal import PushDelivery

/// What APNs says to a push of an app, in an environment, to a token that no phone has.
///
/// The push is a background one that says nothing, and goes nowhere.
struct RouteQuestion: Sendable {
  let topic: Topic
  let environment: APNsEnvironment

  /// The route, for people.
  var name: String { "\(topic), \(environment.rawValue)" }

  /// APNs' own tokens are random.
  private static let token = DeviceToken([UInt8](repeating: 0, count: 32))

  /// Asks once, and says that the key is right, or what is wrong and what to do.
  func answer(of client: APNsClient) async -> Result<String, ToolError> {
    guard let token = Self.token, let push else { preconditionFailure("the push has its form") }
    let address = DeviceAddress(topic: topic, environment: environment, token: token)
    do throws(DeliveryError) {
      return judge(try await client.send(AddressedPush(push, to: address, isProven: false)))
    } catch {
      return .failure(judge(error))
    }
  }

  private var push: SealedNotification? {
    let claims = Claims(messageID: .random(), issuedAt: .now, lifetime: .zero)
    let payload = Array(#"{"aps":{"content-available":1}}"#.utf8)
    let budget = Budget(
      limit: payload.count, skeleton: payload.count, capacity: 0, needed: 0, neededPayload: payload.count)
    return try? SealedNotification(
      payload: payload,
      headers: APNsHeaders(pushType: .background, topic: topic, claims: claims, options: HeaderOptions()),
      budget: budget, cuts: [])
  }

  private func judge(_ response: APNsResponse) -> Result<String, ToolError> {
    func wrong(_ status: ExitStatus, _ text: String, hint: String) -> Result<String, ToolError> {
      let reason = response.reason?.rawValue ?? "status \(response.status)"
      return .failure(ToolError(status, "\(name): APNs answers \(reason): \(text)", hint: hint))
    }
    switch response.reason {
    case .badDeviceToken?, .deviceTokenNotForTopic?:
      return .success("APNs accepts the key, and refuses only the token, which no phone has")
    case .badEnvironmentKeyIDInToken?, .badEnvironmentKeyInToken?:
      return wrong(
        .noPermission, "the key is for the other environment only",
        hint: "use a key for both; or, if the app needs only one, ask about that one: \(Option.environment)")
    case .topicDisallowed?, .badTopic?, .missingTopic?:
      return wrong(
        .badData, "the key's team may not push to this app",
        hint: "compare \(Option.topic) with the app's bundle ID, and its team with --team-id")
    case .expiredProviderToken?:
      return wrong(.noPermission, "the token is too old", hint: "this machine's clock is wrong: set it")
    case .tooManyProviderTokenUpdates?:
      return wrong(.pending, "the key has signed too many tokens lately", hint: "check again in 20 minutes")
    default: break
    }
    switch response.status {
    case 200:
      return wrong(
        .badData, "the server has accepted a push to a token that no phone has, so it is not Apple's",
        hint: "check where --endpoint leads; a stand-in with --any-token accepts all tokens")
    case 403:
      return wrong(
        .noPermission, "it does not accept the key",
        hint:
          "compare --key-id, --team-id and the .p8 file with Apple's page for the key, which also says whether the key"
          + " was revoked; check this machine's clock")
    case 429, 500...:
      return wrong(.pending, "it may accept the push later", hint: "check again in a few minutes")
    default:
      return wrong(
        .badData, "it refuses the push for another reason",
        hint: "Apple explains the reason: \"Handling notification responses from APNs\"")
    }
  }

  private func judge(_ error: DeliveryError) -> ToolError {
    let hint: String?
    switch error.cause {
    case .noConnection, .noAnswer:
      hint =
        "from this machine, port 443 of APNs must answer, or port 2197 with --endpoint api.push.apple.com:2197"
    case .notAPNs: hint = "--endpoint, a proxy or a firewall leads elsewhere"
    default: hint = nil
    }
    return ToolError(error.exitStatus, "\(name): \(error)", hint: hint)
  }
}
