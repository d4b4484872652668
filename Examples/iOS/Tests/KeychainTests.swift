import PushEnrolment
import Foundation
import PushSealer
import SealedPush
import Testing

/// What only an app with entitlements can do: it runs in the app, in a simulator or on a phone.
@Suite struct KeychainTests {
  @Test(arguments: [KeychainEnrolmentStore.Place.keychain, .secureEnclave])
  func aPushToKeysInTheKeychainOpens(place: KeychainEnrolmentStore.Place) throws {
    let (group, identityGroup) = (try setting("KeychainGroup"), try setting("IdentityGroup"))
    let keys = KeychainEnrolmentStore(
      service: "Tests", accessGroup: group, identityGroup: identityGroup, deviceKeysIn: place)
    try keys.remove()
    defer { try? keys.remove() }

    let topic = try Topic("com.example.lunch")
    let token = try DeviceToken("00ff")
    let audience = try Audience("https://example.com")
    let enrolment = try keys.enrol(
      address: DeviceAddress(topic: topic, environment: .sandbox, token: token), for: audience)
    #expect(try keys.confirm(enrolment))

    let sender = KeySet(generating: .sender, at: .now)
    let push = try Sealer(topic: topic, signingKey: try sender.signingKey()).seal(
      RemoteNotification(title: "Ada", body: "Lunch at noon?"), to: enrolment.keys.recipient())
    let receiver = Receiver(
      topic: topic, keys: KeychainKeyStore(service: "Tests", accessGroup: group),
      senders: try sender.publicKeys, replay: InMemoryReplayStore())
    let payload = try JSONObject(parsing: push.payload)
    #expect(receiver.reception(ofPayload: payload).content.body == "Lunch at noon?")
  }

  private func setting(_ key: String) throws -> String {
    try #require(Bundle.main.object(forInfoDictionaryKey: key) as? String)
  }
}
