// A complete notification service extension.
//
// The app's target has put the device's private keys and the senders' signed set into the folder that it shares with
// the extension, and the backend has the device's public keys. With Apple's own libraries the keys are better kept in
// the Keychain, by `KeychainKeyStore`, or in the Secure Enclave: files are part of backups.

import Foundation
import PushEnvelope
import PushExtension
import PushFetching
import PushKeys
import PushReceiver
import UserNotifications

nonisolated final class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    let (folder, topic) = (try AppFolder(), try Topic("com.example.app"))
    var receiver = Receiver(
      topic: topic, keys: KeyFile(path: folder.path(of: "device.jwks")),
      senders: SenderKeyFile(
        path: folder.path(of: "senders.jws"), roots: try AppFolder.roots(), topic: topic),
      replay: FileReplayStore(path: folder.path(of: "replay")))
    receiver.steps = [.contactName, .attachments(into: folder.path(of: "attachments"))]
    receiver.observers = [
      DiagnosticsLog(path: folder.path(of: "notes/log.json")),
      KeptEnvelopes(path: folder.path(of: "notes/kept.json")),
    ]
    return receiver
  }

  // Where the app has communication notifications, `content.updating(from: intent)` is what to return.
  nonisolated(nonsending) override func finish(
    _ content: UNMutableNotificationContent, _ opened: Opened
  ) async -> UNNotificationContent {
    content.threadIdentifier = content.userInfo["chat"] as? String ?? content.threadIdentifier
    return content
  }
}

nonisolated extension EnrichmentStep {
  /// The name that the person has for the sender.
  static let contactName = EnrichmentStep("contact name") { content, message in
    guard let sender = message.payload["sender"]?.string else { return }
    content.title = try await Contacts.name(of: sender) ?? content.title
  }
}

// snippet.hide
nonisolated enum Contacts {
  static func name(of sender: String) async throws -> String? { nil }
}

/// The folder that the app shares with its extension; the app has made `notes` in it with `SharedFolder.unprotected(_:)`.
nonisolated struct AppFolder {
  /// The roots' public keys, which are a resource of the extension's bundle.
  static func roots() throws -> PublicKeySet {
    guard let file = Bundle.main.url(forResource: "roots", withExtension: "jwks") else {
      throw CocoaError(.fileNoSuchFile)
    }
    let text = [UInt8](try Data(contentsOf: file))
    return try PublicKeySet(parsing: text.span)
  }

  #if canImport(Darwin)
    private let shared: SharedFolder

    init() throws { shared = try SharedFolder(appGroup: "group.com.example.app") }

    func path(of name: String) -> String { shared.path(of: name) }
  #else
    init() throws {}

    func path(of name: String) -> String { NSTemporaryDirectory() + "/" + name }
  #endif
}
