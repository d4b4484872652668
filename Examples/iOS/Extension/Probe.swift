#if DEBUG
  import Foundation
  import SealedPushExtension

  /// What the extension can read, for the first hour with a phone.
  enum Probe {
    /// The device's keys, and whether the app's identity can be read, which it must not.
    static var text: String {
      do {
        let shared = try SharedPush.lunch()
        let keys = try shared.keys.thumbprints(at: .now).map(\.keyID.text)
        let shares = try Bundle.main.setting("KeychainGroup")
        let identityGroup = shares.replacingOccurrences(of: ".shared", with: "")
        let identity = KeychainKeyStore(
          service: shared.topic.text, account: "device identity", accessGroup: identityGroup)
        let isHidden = (try? identity.load()) ?? nil == nil
        return "keys \(keys.joined(separator: " ")), identity \(isHidden ? "hidden" : "READABLE")"
      } catch {
        return "\(error)"
      }
    }
  }
#endif
