// The app's side: makes the device's keys, hands out the public half, and opens what came while the phone was locked.

import Foundation
import PushEnvelope
import PushKeys
import PushReceiver

/// What an app does about its keys, which the extension only ever reads.
struct Registration {
  /// The folder that the app shares with its extension.
  let folder: String

  /// The folder in it whose files can be written before the phone is first unlocked.
  let notes: String

  /// The device's public keys, to send to the backend with the device's token; makes the private ones at first launch.
  func publicKeys() throws -> [UInt8] {
    let file = KeyFile(path: "\(folder)/device.jwks")
    do {
      return try file.load().publicKeys.encoded()
    } catch KeyFileError.missing {
      let keys = KeySet(generating: .device, at: .now)
      try file.create(keys)
      return try keys.publicKeys.encoded()
    }
  }

  /// Opens, when the phone was unlocked, what came before.
  func openKept(_ show: (ShownContent) async throws -> Void) async throws {
    let receiver = Receiver(
      topic: try Topic("com.example.app"), keys: KeyFile(path: "\(folder)/device.jwks"),
      senders: PublicKeyFile(path: "\(folder)/senders.jwks"),
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
