// A complete notification service extension.
//
// The app's target has put the device's private keys and the senders' public ones into the folder that it shares with
// the extension, and the backend has the device's public keys.

import Foundation
import PushEnvelope
import PushExtension
import PushKeys
import PushReceiver
import UserNotifications

final class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    let keys = try KeyFile(path: SharedFolder.path("device.jwks")).load()
    let senders = try PublicKeyFile(path: SharedFolder.path("senders.jwks")).load()
    return Receiver(topic: try Topic("com.example.app"), keys: keys, senders: senders)
  }
}

// snippet.hide
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
