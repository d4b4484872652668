// Receipts: the extension notes which messages it opens, and the app reports that to its backend.

import SealedPushExtension

/// What the app and its extension share, made alike in both.
extension SharedPush {
  // snippet.hide
  #if canImport(Security)
    private static func app() throws -> SharedPush {
      try SharedPush(
        topic: Topic("com.example.app"), audience: Audience("https://push.example.com"),
        appGroup: "group.com.example.app")
    }
  #else
    private static func app() throws -> SharedPush {
      SharedPush(
        topic: try Topic("com.example.app"), audience: try Audience("https://push.example.com"), folder: ".",
        keys: KeyFolder(path: "."), roots: try PublicKeyFile(path: "roots.jwks").load())
    }
  #endif

  // snippet.show
  static func ofApp() throws -> SharedPush {
    var shared = try app()
    shared.wantsReceipts = true
    return shared
  }
}

/// The extension.
nonisolated class NotificationService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    let shared = try SharedPush.ofApp()
    var receiver = shared.receiver
    // The notes for receipts are one of them.
    receiver.observers = shared.observers
    return receiver
  }
}

/// The app's part.
struct ReceiptReporting {
  /// Of the same `SharedPush`.
  let registration: PushRegistration

  /// When the app is launched, and when it comes to the front; what fails is reported the next time.
  func report() async throws(RegistrationFailure) { try await registration.sendReceipt() }
}
