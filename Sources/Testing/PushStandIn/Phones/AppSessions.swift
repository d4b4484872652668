package import PushCore
package import SealedPush
private import Synchronization

/// A login of a person in an app, as the backend knows it.
package struct AppSession: Sendable {
  /// The person.
  package let person: String
  /// The login's ID, a random one.
  package let id: String
  /// When it began.
  package let beganAt: UnixTime
}

/// The app's backend, which has checked who is logged in.
package protocol AppBackend: Sendable {
  /// Sends a request of the app to its enrolment service, in a session; nil for a request that needs none.
  func send(_ request: ServiceRequest, in session: AppSession?) async throws -> ServiceResponse
}

/// The sessions that an app has, in which it asks its enrolment service.
final class AppSessions: EnrolmentService {
  /// Why there is no answer.
  enum Failure: Error, CustomStringConvertible {
    case off
    case noSession

    var description: String {
      switch self {
      case .off: "the phone is switched off"
      case .noSession: "the app has no session of that person"
      }
    }
  }

  private let backend: any AppBackend
  private let isOnline: @Sendable () -> Bool
  private let sessions: Mutex<[AppSession]>

  /// Takes the backend, and whether the phone has a connection.
  init(at backend: any AppBackend, _ sessions: [AppSession], isOnline: @escaping @Sendable () -> Bool) {
    self.backend = backend
    self.isOnline = isOnline
    self.sessions = Mutex(sessions)
  }

  /// The sessions, in the order of their logins.
  var all: [AppSession] { sessions.withLock { $0 } }

  /// Logs a person in; the others stay if the person is joining.
  func logIn(_ person: String, joining isJoining: Bool, at now: UnixTime) {
    let session = AppSession(person: person, id: "\(UInt64.random(in: .min ... .max))", beganAt: now)
    sessions.withLock { $0 = (isJoining ? $0.filter { $0.person != person } : []) + [session] }
  }

  /// Forgets a person's session; without a person, all.
  func forget(_ person: String?) {
    sessions.withLock { $0.removeAll { person == nil || $0.person == person } }
  }

  func send(_ request: ServiceRequest, as person: String?) async throws -> ServiceResponse {
    guard isOnline() else { throw Failure.off }
    guard let person else { return try await backend.send(request, in: nil) }
    guard let session = all.first(where: { $0.person == person }) else { throw Failure.noSession }
    return try await backend.send(request, in: session)
  }
}
