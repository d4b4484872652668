import PushEnrolment
import Foundation
import SealedPush
import UserNotifications

/// This phone, as the backend knows it: its keys, its token and its Live Activities.
actor Device {
  let backend: Backend
  private let shared: Shared
  private let keys: KeychainEnrolmentStore
  private var token: DeviceToken?
  private var waiting: [CheckedContinuation<DeviceToken, any Error>] = []

  // Xcode's builds have tokens of the one, TestFlight's and the App Store's of the other.
  #if DEBUG
    private static let environment = APNsEnvironment.sandbox
  #else
    private static let environment = APNsEnvironment.production
  #endif

  /// Throws if `Info.plist` does not name the group of the identity, which is the app's alone.
  init(_ shared: Shared, _ backend: Backend) throws {
    self.shared = shared
    self.backend = backend
    keys = KeychainEnrolmentStore(
      service: shared.topic.text, accessGroup: shared.keychainGroup,
      identityGroup: try Shared.setting("IdentityGroup"))
  }

  /// Remembers the token that iOS gave in this launch, or that it gave none, and goes on with what waits for it.
  func know(_ answer: Result<DeviceToken, any Error>) {
    token = try? answer.get()
    for continuation in waiting { continuation.resume(with: answer) }
    waiting = []
  }

  /// The token, which comes later than a push that starts the app.
  private func currentToken() async throws -> DeviceToken {
    if let token { return token }
    return try await withCheckedThrowingContinuation { waiting.append($0) }
  }

  /// Fetches the senders' keys, replaces old keys of the device's, and enrols: at each launch, at the login, with the
  /// challenge that came with it, and whenever the backend asks.
  func enrol(challenge: Challenge? = nil) async throws {
    let token = try await currentToken()
    // A set that is not taken is no reason not to enrol: the one that is there goes on counting.
    if let set = try? await backend.senders() { _ = try? shared.senders.accept(set) }
    _ = try keys.rotate(ifOlderThan: .seconds(30 * 86_400))
    try await send(
      try keys.enrol(
        address: address(token), for: shared.audience, challenge: challenge, report: shared.report))
  }

  /// Sends an enrolment.
  ///
  /// The old keys end a month after the backend uses the new ones, not while those are to be proven.
  private func send(_ enrolment: Enrolment) async throws {
    if try await backend.send(enrolment.encoded()) { try keys.confirm(enrolment) }
  }

  private func address(_ token: DeviceToken) -> DeviceAddress {
    DeviceAddress(topic: shared.topic, environment: Self.environment, token: token)
  }

  /// Proves to the backend that this phone has a key and a token that are new to it, which it asks for once a month.
  private func prove(_ asked: OpenedProofRequest) async throws {
    let address = address(try await currentToken())
    guard
      case .success(let answer)? = try keys.answer(
        asked.request, openedBy: asked.opened.recipient, address: address, for: shared.audience,
        report: shared.report)
    else { return }
    try await send(answer)
  }

  /// Signs in, and enrols with the login's challenge.
  func signIn() async throws {
    let center = UNUserNotificationCenter.current()
    _ = try await center.requestAuthorization(options: [.alert, .sound, .badge])
    try await enrol(challenge: try await backend.signIn())
  }

  /// Signs out: the next person on this phone is another registration.
  func signOut() async throws {
    try await backend.signOut()
    try keys.remove()
  }

  /// Shows what came before the phone was first unlocked.
  func showKept() async throws {
    try await shared.kept.openAll(with: shared.receiver) { reception in
      let content = UNMutableNotificationContent(reception.content)
      let request = UNNotificationRequest(identifier: UUID().uuidString, content: content, trigger: nil)
      try await UNUserNotificationCenter.current().add(request)
    }
  }
}

// MARK: - Background pushes

extension Device {
  /// What the backend can ask of the app in a background push.
  ///
  /// Another request is a case here, and a line each of `request(in:)` and `answer(_:)`.
  enum Request: Sendable {
    /// To enrol, for example because the backend has lost registrations.
    case enrol
    /// To prove a new key or token.
    case prove(OpenedProofRequest)
  }

  /// The request in a background push; nil if there is none that the app knows, or if it has come before.
  ///
  /// Only what a trusted sender signed is a request.
  nonisolated func request(in userInfo: [AnyHashable: Any]) -> Request? {
    if let asked = try? shared.receiver.openProofRequest(userInfo: userInfo) {
      return asked.opened.isDuplicate ? nil : .prove(asked)
    }
    guard let message = try? shared.receiver.openData(userInfo: userInfo, as: .background),
      !message.opened.isDuplicate
    else { return nil }
    switch message.payload["request"]?.string {
    case "enrol": return .enrol
    default: return nil
    }
  }

  /// Does what the backend asks for, within the 30 seconds that iOS gives.
  func answer(_ request: Request) async throws {
    switch request {
    case .enrol: try await enrol()
    case .prove(let asked): try await prove(asked)
    }
  }
}
