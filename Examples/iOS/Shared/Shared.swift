import Foundation
import SealedPush

extension SharedPush {
  /// What the app shares with its extension and its widget.
  ///
  /// Throws if an entitlement or a resource of the bundle is missing.
  static func lunch() throws -> SharedPush {
    var shared = try SharedPush(
      topic: Topic("com.example.lunch"), audience: Audience("https://example.com"),
      appGroup: "group.com.example.lunch", keychainGroup: Bundle.main.setting("KeychainGroup"))
    shared.bestAttempt = .outerTitle.text(forKey: "NOT_OPENED")
    return shared
  }

  /// What Console shows of the pushes.
  static let systemLog = SystemLog(subsystem: "com.example.lunch")

  /// Whether the app is in front.
  static let presence = AppPresence(name: "group.com.example.lunch")
}

extension Bundle {
  /// A text of the bundle's `Info.plist`, such as one with the team's prefix, which only the build knows.
  func setting(_ key: String) throws -> String {
    guard let text = object(forInfoDictionaryKey: key) as? String else { throw CocoaError(.fileNoSuchFile) }
    return text
  }
}
