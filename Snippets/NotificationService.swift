// A complete notification service extension.
//
// The app's target has made the device's keys, in the Keychain, and the backend has the public ones. The senders' signed set
// and what is kept are in the folder that the app shares with the extension.

import PushEnrolment
import Foundation
import SealedPushExtension
import UserNotifications

nonisolated class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    let (folder, topic) = (try AppFolder(), try Topic("com.example.app"))
    var receiver = Receiver(
      topic: topic, keys: folder.keys, senders: try folder.senders(of: topic),
      replay: FileReplayStore(path: folder.path(of: "replay")))
    receiver.steps = [.contactName, .attachments(into: folder.path(of: "attachments"))]
    receiver.observers = [folder.log, folder.kept]
    return receiver
  }
}

/// The same, for an app that changes the content after all steps; `Info.plist` then names this class.
nonisolated final class ChatNotificationService: NotificationService {
  // Where the app has communication notifications, `content.updating(from: intent)` is what to return.
  nonisolated(nonsending) override func finish(
    _ content: UNMutableNotificationContent, opened: Opened
  ) async -> UNNotificationContent {
    content.threadIdentifier = content.userInfo["chat"] as? String ?? content.threadIdentifier
    return content
  }

  nonisolated(nonsending) override func finish(
    _ content: UNMutableNotificationContent, degraded reason: DegradeReason
  ) async -> UNNotificationContent {
    if reason == .keyLocked { content.body = Texts.unlock }
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
nonisolated enum Texts {
  static let unlock = "Unlock your phone to read new messages"
}

nonisolated enum Contacts {
  static func name(of sender: String) async throws -> String? { nil }
}

/// What the app shares with its extension; the app has made `notes` in the folder with `SharedFolder.unprotected(_:)`.
nonisolated struct AppFolder {
  /// Whose messages are shown: the newest signed set in the folder, or else the one that was built in.
  func senders(of topic: Topic) throws -> SenderKeyFile {
    // Resources of the extension's bundle, the same as the app's: the roots' public keys, and a set that they signed.
    let (rootsText, text) = (try Self.resource("roots", "jwks"), try Self.resource("senders", "jws"))
    let roots = try PublicKeySet(parsing: rootsText)
    let shipped = try SenderKeySet(parsing: text, roots: roots, topic: topic)
    return SenderKeyFile(path: path(of: "senders.jws"), roots: roots, topic: topic, shipped: shipped)
  }

  private static func resource(_ name: String, _ type: String) throws -> [UInt8] {
    guard let file = Bundle.main.url(forResource: name, withExtension: type) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return [UInt8](try Data(contentsOf: file))
  }

  /// Why pushes did not open, for the app and for `sealpush log`.
  var log: DiagnosticsLog { DiagnosticsLog(path: path(of: "notes/log.json")) }

  /// What came before the phone was first unlocked, for the app.
  var kept: KeptEnvelopes { KeptEnvelopes(path: path(of: "notes/kept.json")) }

  #if canImport(Darwin)
    private let shared: SharedFolder

    init() throws { shared = try SharedFolder(appGroup: "group.com.example.app") }

    func path(of name: String) -> String { shared.path(of: name) }

    /// The device's keys: not in files, which Apple has a copy of where backups are not end-to-end encrypted.
    var keys: some DeviceKeyStore {
      KeychainKeyStore(service: "com.example.app", accessGroup: "group.com.example.app")
    }
  #else
    init() throws {}

    func path(of name: String) -> String { NSTemporaryDirectory() + "/" + name }

    var keys: some DeviceKeyStore { KeyFile(path: path(of: "device.jwks")) }
  #endif
}
