// An app's extension while its fleet moves from `openssl enc` to sealed pushes.

import PushCompat
import PushCore
import SealedPush
import PushEnrolment
import PushKeys
import PushReceiver

nonisolated final class MigratingService: SealedNotificationService {
  override func makeReceiver() throws -> Receiver {
    var receiver = Receiver(
      topic: try Topic("com.example.app"), keys: KeyFile(path: AppGroup.path(of: "device.jwks")),
      senders: try AppGroup.senders(), accepts: AcceptedEnvelopes(formats: Self.oldFormats()),
      replay: FileReplayStore(path: AppGroup.path(of: "replay")))
    receiver.observers = [DiagnosticsLog(path: AppGroup.path(of: "notes/log.json"))]
    return receiver
  }

  /// What backends wrote before, until 1 March 2027.
  private static func oldFormats() -> [AcceptedFormat] {
    // A phone that never had the old password, or cannot read it now, opens sealed pushes all the same.
    guard let password = AppGroup.oldPassword(),
      let salted = OpenSSLSalted.unauthenticated(password: password),
      let end = UnixTime(seconds: 1_803_859_200)
    else { return [] }
    return [AcceptedFormat(salted, until: end, reading: .alert)]
  }
}

/// The app group's container, which stands for the app's own here.
enum AppGroup {
  static func path(of name: String) -> String { "container/\(name)" }

  static func senders() throws -> SenderKeyFile {
    SenderKeyFile(
      path: path(of: "senders.jws"), roots: try PublicKeySet(parsing: roots),
      topic: try Topic("com.example.app"))
  }

  /// The roots' public keys, which the app has built in.
  private static let roots = Array(#"{"keys":[]}"#.utf8)

  static func oldPassword() -> [UInt8]? { Array("from the keychain".utf8) }
}
