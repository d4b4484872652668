import Foundation
import SealedPush
import UserNotifications

/// The app's pushes: its registration, and what it does with background pushes.
///
/// Nothing here runs on the main actor: keys and files are not for it.
final class LunchPush: Sendable {
  let shared: SharedPush
  let registration: PushRegistration

  /// Throws if an entitlement, a resource or a setting of the bundle is missing.
  init() throws {
    shared = try SharedPush.lunch()
    let keys = KeychainEnrolmentStore(
      service: shared.topic.text, accessGroup: try Bundle.main.setting("KeychainGroup"),
      identityGroup: try Bundle.main.setting("IdentityGroup"))
    registration = PushRegistration(
      of: shared, in: .ofThisApp, keys: keys,
      service: URLSessionEnrolmentService(at: Session.address.appendingPathComponent("push")),
      path: URL.documentsDirectory.appendingPathComponent("registration.json").path)
  }

  /// Logs in, and registers the phone.
  func signIn() async throws {
    _ = try await UNUserNotificationCenter.current().requestAuthorization(options: [.alert, .sound, .badge])
    await registration.register(login: try await Session.logIn())
  }

  /// Signs out on the phone, also without a connection, and then at the backend.
  func signOut() async throws {
    // First, so that no launch registers the person again.
    try Session.forget()
    await registration.signOut()
    _ = try await Session.post("logout", [:])
  }

  /// Does what a background push asks for; false if that is nothing new.
  @concurrent
  func receive(_ envelope: EnvelopeField) async -> Bool {
    switch await registration.receive(envelope) {
    case .request: return true
    case .message(let message):
      await UNUserNotificationCenter.current().carryOut(message.opened, for: shared.receiver)
      // Another request of your own is a case here. Only what a trusted sender signed gets this far.
      if message.payload["request"] == "enrol" { await registration.launch(as: Session.persons) }
      return true
    case .repeated, .degraded: return false
    }
  }

  /// Shows what came before the phone was first unlocked.
  @concurrent
  func showKept() async throws {
    try await UNUserNotificationCenter.current().show(shared.kept, with: shared.receiver)
  }
}
