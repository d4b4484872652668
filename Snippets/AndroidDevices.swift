// Messages for a person's iPhones and Android phones: one call seals them, and each service's own client sends them.

import PushEnrolment
import PushSealer

// snippet.hide
protocol APNs: Sendable {
  func send(_ payload: [UInt8], headers: [(name: String, value: String)], to token: String) async throws
}

// snippet.show
/// The team's own client of FCM.
protocol FCM: Sendable {
  /// Sends the body of a request to `https://fcm.googleapis.com/v1/projects/PROJECT/messages:send`.
  func send(_ request: [UInt8]) async throws
}

/// Accepts the enrolment of an iPhone or an Android phone, whose login stands behind it.
func enrol(
  _ json: [UInt8], as name: String, of person: String, in file: RegistrationFile, for audience: Audience
) throws -> PendingProof? {
  // The file was made with `RegistrationFile(path: path, services: [.apns, .fcm])`.
  let enrolment = try Enrolment(parsing: json, audience: audience, services: file.services)
  return try file.accept(enrolment, as: name, person: person, mayBeNew: true).get().pending
}

/// Asks an Android phone to prove its new key and token.
func ask(_ pending: PendingProof, with sealer: Sealer, through fcm: some FCM) async throws {
  guard case .fcm(let address) = pending.address else { return }
  let message = try sealer.sealForFCM(pending.request, to: pending.recipient)
  try await fcm.send(message.request(to: address.token))
}

/// Sends a notification to all devices of a person.
///
/// Give the sealer an `applicationID` if the app on Android has another ID than the one on iPhones.
func greet(
  _ devices: [EnrolledDevice], with sealer: Sealer, job: MessageID, through apns: some APNs, and fcm: some FCM
) async throws {
  let notification = RemoteNotification(title: "Ada", body: "Lunch at noon?")
  for push in sealer.seal(notification, to: devices, messageID: job) {
    switch push.result {
    case .success(.apns(let sealed)):
      try await apns.send(
        sealed.push.payload, headers: sealed.push.headers.fields, to: sealed.address.token.text)
    case .success(.fcm(let sealed)): try await fcm.send(sealed.request)
    case .failure(let error): print("not to \(push.device.address.token): \(error)")
    }
  }
}
