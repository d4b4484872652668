import PushCore
import PushNetwork
import PushKeys
import PushSealer
import PushStandIn
import PushTesting
import Testing

/// A backend and an APNs, for the tests of this module.
struct Stand {
  static let start = UnixTime(clamping: 1_800_000_000)

  let apns: APNsModel
  let backend: KeySet
  let signer: ProviderSigner
  let topic: Topic
  let connection = APNsModel.Connection()

  init(_ change: (inout APNsSettings, ProviderSigner) -> Void = { _, _ in }) throws {
    signer = ProviderSigner()
    var settings = APNsSettings()
    settings.providerKeys = [signer.key]
    change(&settings, signer)
    apns = APNsModel(settings: settings, clock: ManualClock(Self.start))
    backend = KeySet(generating: .sender, at: Self.start)
    topic = try Topic("com.example.app")
  }

  /// A phone that makes its keys and trusts the backend.
  func phone(_ name: String? = nil) throws -> StandInPhone {
    apns.phone(name: name, topic: topic, senders: try backend.publicKeys)
  }

  /// The request of a sealed push.
  func request(
    _ text: String, to phone: StandInPhone, _ options: HeaderOptions = HeaderOptions()
  ) throws -> APNsRequest {
    let sealer = Sealer(topic: topic, signingKey: try backend.signingKey(at: apns.clock.now))
    let keys = try #require(phone.publicKeys)
    let push: SealedNotification = try sealer.seal(
      RemoteNotification(title: "Ada", body: text), to: keys.recipient(at: apns.clock.now),
      at: apns.clock.now, headers: options)
    return APNsRequest(push, to: phone.token, providerToken: signer.token(at: Self.start))
  }

  /// The request of a payload that is not sealed.
  func request(plain payload: String, to token: DeviceToken, _ headers: [String: String] = [:]) throws
    -> APNsRequest
  {
    var request = APNsRequest(
      path: "/3/device/\(token.text)",
      headers: [
        .init(name: "authorization", value: "bearer \(signer.token(at: Self.start))"),
        .init(name: "apns-topic", value: topic.text), .init(name: "apns-push-type", value: "alert"),
      ], body: Array(payload.utf8))
    for (name, value) in headers { request[name] = value }
    return request
  }

  /// APNs' answer: nil for 200, or the reason.
  @discardableResult
  func send(_ request: APNsRequest, on connection: APNsModel.Connection? = nil) async throws -> Refusal? {
    let answer = try #require(await apns.handle(request, on: connection ?? self.connection).answer)
    guard answer.status != 200 else { return nil }
    let body = try JSONObject(parsing: answer.body.span)
    return Refusal(status: answer.status, reason: try #require(body["reason"]?.string))
  }
}
