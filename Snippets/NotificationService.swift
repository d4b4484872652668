// A complete notification service extension.
//
// The app's target has put the device's private keys and the senders' public ones into the folder that it shares with
// the extension, and the backend has the device's public keys.

import Foundation
import PushEnvelope
import PushExtension
import PushFetching
import PushKeys
import PushReceiver
import UserNotifications

final class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    var receiver = Receiver(
      topic: try Topic("com.example.app"), keys: KeyFile(path: SharedFolder.path("device.jwks")),
      senders: PublicKeyFile(path: SharedFolder.path("senders.jwks")),
      replay: FileReplayStore(path: SharedFolder.path("replay")))
    receiver.steps = [.contactName, .attachments(into: SharedFolder.path("attachments"))]
    receiver.observers = [
      DiagnosticsLog(path: SharedFolder.path("log.json")),
      KeptEnvelopes(path: SharedFolder.path("kept.json")),
    ]
    return receiver
  }

  // Where the app has communication notifications, `content.updating(from: intent)` is what to return.
  override func finish(
    _ content: UNMutableNotificationContent, _ opened: Opened
  ) async -> UNNotificationContent {
    content.threadIdentifier = content.userInfo["chat"] as? String ?? content.threadIdentifier
    return content
  }
}

extension EnrichmentStep {
  /// The name that the person has for the sender.
  static let contactName = EnrichmentStep("contact name") { content, message in
    guard let sender = message.payload["sender"]?.string else { return }
    content.title = try await Contacts.name(of: sender) ?? content.title
  }
}

// snippet.hide
enum Contacts {
  static func name(of sender: String) async throws -> String? { nil }
}

enum SharedFolder {
  static func path(_ name: String) -> String {
    #if canImport(Darwin)
      let manager = FileManager.default
      let folder = manager.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.app")
    #else
      let folder: URL? = nil
    #endif
    return (folder ?? URL(fileURLWithPath: NSTemporaryDirectory())).appendingPathComponent(name).path
  }
}
