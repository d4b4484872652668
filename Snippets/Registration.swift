// The app's side: registers the phone, keeps it registered, and signs persons out.

import Foundation
import SealedPush
import UserNotifications

// snippet.hide
#if canImport(Security)
  /// What the app shares with its extension.
  private func parts(_ topic: Topic, _ audience: Audience) throws -> (SharedPush, any EnrolmentStore) {
    let group = "group.com.example.app"
    let keys = KeychainEnrolmentStore(
      service: topic.text, accessGroup: group, identityGroup: "ABCDE12345.com.example.app")
    return (try SharedPush(topic: topic, audience: audience, appGroup: group), keys)
  }
#else
  private func parts(_ topic: Topic, _ audience: Audience) throws -> (SharedPush, any EnrolmentStore) {
    let (folder, roots) = (KeyFolder(path: "."), try PublicKeyFile(path: "roots.jwks").load())
    return (SharedPush(topic: topic, audience: audience, folder: ".", keys: folder, roots: roots), folder)
  }
#endif

// snippet.show
/// What an app does about its pushes.
actor AppPush {
  private let shared: SharedPush
  private let registration: PushRegistration

  /// Takes what sends the requests of the enrolment service to the app's backend, on Apple's systems a
  /// `URLSessionEnrolmentService`, and the path of a file of the app's own.
  init(service: any EnrolmentService, path: String, in environment: APNsEnvironment) throws {
    let topic = try Topic("com.example.app")
    let (shared, keys) = try parts(topic, Audience("https://push.example.com"))
    self.shared = shared
    registration = PushRegistration(
      of: shared, in: environment, keys: keys, service: service, path: path)
  }

  /// At each launch, with the persons whose sessions the app has; nil as long as it cannot read its sessions.
  func launch(as persons: [String]?) async { await registration.launch(as: persons) }

  /// When iOS gives the token, in `didRegisterForRemoteNotificationsWithDeviceToken`.
  func know(_ token: DeviceToken) async { await registration.know(token: token) }

  /// After a login: a second account of the same app is `joining`, and otherwise whoever was there leaves first.
  func logIn(_ person: String, joining: Bool) async throws {
    let state = await registration.register(login: person, joining: joining)
    // The error in words is for the developer: the app says that notifications do not work yet.
    if case .failed(let failure) = state.standing { throw failure }
  }

  /// For each background push: true if there was something new.
  func receive(_ envelope: EnvelopeField, act: (OpenedMessage) async -> Void) async -> Bool {
    switch await registration.receive(envelope) {
    case .request: return true
    case .message(let message):
      await act(message)
      return true
    case .repeated, .degraded: return false
    }
  }

  /// When the person signs out, also without a connection.
  func signOut(_ person: String) async { await registration.signOut(person) }

  /// Shows, when the app is opened, what came before the phone was first unlocked.
  func showKept() async throws {
    try await UNUserNotificationCenter.current().show(shared.kept, with: shared.receiver)
  }
}
