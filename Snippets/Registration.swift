// The app's side: makes the device's keys, enrols them, takes the senders' keys, and opens what came while the phone was
// locked.

import Foundation
import PushEnvelope
import PushKeys
import PushReceiver

// snippet.hide
protocol BackendClient: Sendable {
  func send(_ enrolment: [UInt8]) async throws
  func senders() async throws -> [UInt8]
}

// snippet.show
/// What an app does about its keys, which the extension only ever reads.
struct AppKeys {
  /// The folder that the app shares with its extension.
  let folder: String

  /// The folder in it whose files can be written before the phone is first unlocked.
  let notes: String

  /// The roots' public keys, which are built into the app.
  let roots: PublicKeySet

  /// The app's bundle id.
  let topic: Topic

  private var senders: SenderKeyFile {
    SenderKeyFile(path: "\(folder)/senders.jws", roots: roots, topic: topic)
  }

  /// At each launch: replaces old keys, enrols, and fetches the senders' keys.
  ///
  /// The backend gives the challenge at the login, and wants it signed once.
  func launch(token: DeviceToken, challenge: Challenge?, _ backend: some BackendClient) async throws {
    let keys = KeyFolder(path: folder)
    _ = try keys.rotate(ifOlderThan: .seconds(30 * 86_400))
    let address = DeviceAddress(topic: topic, environment: .production, token: token)
    let enrolment = try keys.enrol(at: address, challenge: challenge)
    try await backend.send(enrolment.encoded())
    try keys.confirm(enrolment)
    let set = try await backend.senders()
    try senders.accept(set.span)
  }

  /// Opens, when the phone was unlocked, what came before.
  func openKept(_ show: (ShownContent) async throws -> Void) async throws {
    let receiver = Receiver(
      topic: topic, keys: KeyFile(path: "\(folder)/device.jwks"), senders: senders,
      replay: FileReplayStore(path: "\(folder)/replay"))
    try await KeptEnvelopes(path: "\(notes)/kept.json").openAll(with: receiver) { reception in
      try await show(reception.content)
    }
  }

  /// Whether pushes come that the device has no key for, so that its keys are to be sent anew.
  func mustEnrolAnew() throws -> Bool {
    try DiagnosticsLog(path: "\(notes)/log.json").read().entries.contains { $0.degradeReason == .unknownKey }
  }
}
