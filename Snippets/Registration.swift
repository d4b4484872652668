// The app's side: makes the device's keys, enrols them, takes the senders' keys, and opens what came while the phone was
// locked.

import PushEnrolment
import Foundation
import SealedPush

// snippet.hide
protocol BackendClient: Sendable {
  /// Returns whether the backend uses the enrolment: false if it is pending. Throws for any other answer.
  func send(_ enrolment: [UInt8]) async throws -> Bool
  func senders() async throws -> [UInt8]
  func signOut() async throws
}

// snippet.show
/// What an app does about its keys, which the extension only ever reads.
struct AppKeys {
  /// The folder that the app shares with its extension.
  let folder: String

  /// The folder in it whose files can be written before the phone is first unlocked.
  let notes: String

  /// The roots' public keys, which are built into the app.
  let roots: PublicKeySet

  /// The senders' set that is built into the app.
  let shipped: SenderKeySet

  /// The app's bundle id.
  let topic: Topic

  /// The backend's own name, which is built into the app beside its address.
  let audience: Audience

  // Xcode's builds have tokens of the one, TestFlight's and the App Store's of the other.
  #if DEBUG
    private static let environment = APNsEnvironment.sandbox
  #else
    private static let environment = APNsEnvironment.production
  #endif

  // Files are part of backups, of which Apple can have the key, and an identity must not be in one.
  #if canImport(Security)
    private var keys: KeychainEnrolmentStore {
      KeychainEnrolmentStore(
        service: topic.text, accessGroup: "group.com.example.app", identityGroup: "ABCDE12345.com.example.app"
      )
    }
  #else
    private var keys: KeyFolder { KeyFolder(path: folder) }
  #endif

  private var senders: SenderKeyFile {
    SenderKeyFile(path: "\(folder)/senders.jws", roots: roots, topic: topic, shipped: shipped)
  }

  /// At each launch: fetches the senders' keys, replaces old keys of the device's, and enrols.
  ///
  /// The backend gives the challenge at the login, and wants it signed once. A background task that calls it too, once a
  /// month, has keys replaced of an app that nobody opens.
  func launch(token: DeviceToken, challenge: Challenge?, _ backend: some BackendClient) async throws {
    // A set that is not taken is no reason not to enrol: the one that is there goes on counting.
    if let set = try? await backend.senders() { _ = try? senders.accept(set) }
    _ = try keys.rotate(ifOlderThan: .seconds(30 * 86_400))
    let enrolment = try keys.enrol(address: address(token), for: audience, challenge: challenge)
    try await send(enrolment, backend)
  }

  /// At each background push, before the app opens it as data: proves a new key or token, if the backend asks for that;
  /// returns whether it did.
  ///
  /// `userInfo` is what the system passes to the app's delegate.
  func prove(
    _ userInfo: [AnyHashable: Any], token: DeviceToken, _ backend: some BackendClient
  ) async throws -> Bool {
    let opened: OpenedProofRequest
    do throws(DegradeReason) {
      opened = try receiver.openProofRequest(userInfo: userInfo)
    } catch .malformedContent {
      return false
    }
    guard !opened.opened.isDuplicate,
      case .success(let answer)? = try keys.answer(
        opened.request, openedBy: opened.opened.recipient, address: address(token), for: audience)
    else { return true }
    try await send(answer, backend)
    return true
  }

  /// Sends an enrolment.
  ///
  /// The old keys end a month after the backend uses the new ones, not while those are pending.
  private func send(_ enrolment: Enrolment, _ backend: some BackendClient) async throws {
    if try await backend.send(enrolment.encoded()) { try keys.confirm(enrolment) }
  }

  private func address(_ token: DeviceToken) -> DeviceAddress {
    DeviceAddress(topic: topic, environment: Self.environment, token: token)
  }

  private var receiver: Receiver {
    Receiver(
      topic: topic, keys: keys, senders: senders, replay: FileReplayStore(path: "\(folder)/replay"))
  }

  /// When the person signs out: the next one is another registration.
  func signOut(_ backend: some BackendClient) async throws {
    try await backend.signOut()
    try keys.remove()
  }

  /// When the person signs out without a connection: what the backend gets later, for which no login is needed.
  func leave() throws -> [UInt8]? {
    let leave = try keys.leave(topic, for: audience)
    try keys.remove()
    return leave?.encoded()
  }

  /// Opens, when the phone was unlocked, what came before.
  func openKept(_ show: (ShownContent) async throws -> Void) async throws {
    let receiver = receiver
    try await KeptEnvelopes(path: "\(notes)/kept.json").openAll(with: receiver) { reception in
      try await show(reception.content)
    }
  }

  /// Whether pushes come that the device has no key for, so that its keys are to be sent anew.
  func mustEnrolAnew() throws -> Bool {
    try DiagnosticsLog(path: "\(notes)/log.json").read().entries.contains { $0.degradeReason == .unknownKey }
  }
}
