import PushEnrolment
import Foundation
import SealedPush

/// What the app shares with its extension and its widget: the folder of the App Group, and the device's keys.
struct Shared: Sendable {
  /// The app's bundle id, which the backend seals for.
  let topic: Topic

  /// The backend's own name, which enrolments are for.
  let audience: Audience

  /// The folder of the App Group.
  let folder: SharedFolder

  /// Whose messages are shown: the newest signed set in the folder, or else the one that was built in.
  let senders: SenderKeyFile

  /// Throws if an entitlement or a resource of the bundle is missing.
  init() throws {
    topic = try Topic("com.example.lunch")
    guard let audience = try? Audience("https://example.com") else { preconditionFailure("no name") }
    self.audience = audience
    folder = try SharedFolder(appGroup: "group.com.example.lunch")
    let roots = try PublicKeySet(parsing: Self.resource("roots", "jwks"))
    let shipped = try SenderKeySet(parsing: Self.resource("senders", "jws"), roots: roots, topic: topic)
    senders = SenderKeyFile(
      path: folder.path(of: "senders.jws"), roots: roots, topic: topic, shipped: shipped)
    keychainGroup = try Self.setting("KeychainGroup")
  }

  /// The Keychain group of the device's keys.
  let keychainGroup: String

  /// The device's keys, to look them up.
  var keys: KeychainKeyStore { KeychainKeyStore(service: topic.text, accessGroup: keychainGroup) }

  /// Opens what was sealed to the device.
  var receiver: Receiver {
    var receiver = Receiver(
      topic: topic, keys: keys, senders: senders, replay: FileReplayStore(path: folder.path(of: "replay")),
      bestAttempt: .outerTitle.text(forKey: "NOT_OPENED"))
    receiver.strings = AppBundleStrings()
    return receiver
  }

  /// Why pushes did not open.
  var log: DiagnosticsLog { DiagnosticsLog(path: folder.path(of: "notes/log.json")) }

  /// How many pushes opened, and how many did not.
  var tally: ReceptionTally { ReceptionTally(path: folder.path(of: "notes/tally.json")) }

  /// What the phone says of itself to the backend: which set of senders' keys it has, and how many pushes opened.
  var report: DeviceReport { DeviceReport(senders: senders.version, counts: try? tally.read()) }

  /// What came before the phone was first unlocked.
  var kept: KeptEnvelopes { KeptEnvelopes(path: folder.path(of: "notes/kept.json")) }

  /// What Console shows of all three.
  static let systemLog = SystemLog(subsystem: "com.example.lunch")

  /// A text of the bundle's `Info.plist`, such as one with the team's prefix, which only the build knows.
  static func setting(_ key: String) throws -> String {
    guard let text = Bundle.main.object(forInfoDictionaryKey: key) as? String else {
      throw CocoaError(.fileNoSuchFile)
    }
    return text
  }

  private static func resource(_ name: String, _ type: String) throws -> [UInt8] {
    guard let file = Bundle.main.url(forResource: name, withExtension: type) else {
      throw CocoaError(.fileNoSuchFile)
    }
    return [UInt8](try Data(contentsOf: file))
  }
}
