import Foundation
import PushEnrolment
import SealedPush

/// The app's own backend, over HTTPS: a login of its own, and below `push` what
/// `Documentation/enrolment-service.openapi.yaml` describes.
///
/// The login is a stand-in for yours: this one sets a cookie, and answers with the person's ID.
struct Backend: Sendable {
  /// Why the backend has not done what it was asked for.
  enum Failure: Error {
    /// The registration is gone, or somebody else's.
    case notFound
    /// The session has ended: the person must sign in again.
    case signedOut
    /// An enrolment is refused, with a code of FORMAT.md.
    case refused(reason: String)
    /// Nobody has answered the enrolment; it may be answered later.
    case noAnswer
    /// Another status, or an answer that is not understood.
    case status(Int)
  }

  /// A challenge for one enrolment, and the backend's name for this phone.
  struct Issued: Decodable {
    let challenge, registration: String
  }

  /// What became of an enrolment: members that the app does not know are ignored.
  private struct Answer: Decodable {
    var id, answer, reason: String?
  }

  private let address = "https://example.com/lunch"

  // MARK: Your own

  /// Logs in, and returns who the person is.
  func signIn() async throws -> String {
    String(decoding: try await ask("POST", "login").data, as: UTF8.self)
  }

  /// Ends the session.
  func endSession() async throws { _ = try await ask("POST", "logout") }

  /// Sends the token of a Live Activity.
  func send(activityToken token: DeviceToken) async throws {
    _ = try await ask("POST", "activity", ["token": .string(token.text)])
  }

  // MARK: Enrolments

  /// Asks for a challenge, for a new registration or for one that the phone has; devices leave the person before.
  func challenge(for topic: Topic, registration: String?) async throws -> Issued {
    var body: JSONObject = ["topic": .string(topic.text), "mode": "replace"]
    body["registration"] = registration.map { .string($0) }
    return try decode(try await ask("POST", "push/v1/challenges", body))
  }

  /// Hands an enrolment in, and returns whether the backend uses it: not while the phone has to prove its key or token.
  func send(_ enrolment: Enrolment, as registration: String) async throws -> Bool {
    let body: JSONObject = [
      "registration": .string(registration),
      "enrolment": .object(try JSONObject(parsing: enrolment.encoded())),
    ]
    var reply = try await ask("POST", "push/v1/enrolments", body)
    var answer: Answer = try decode(reply)
    for _ in 0..<5 where reply.status == 202 {
      guard let id = answer.id else { throw Failure.status(reply.status) }
      try await Task.sleep(for: .seconds(1))
      reply = try await ask("GET", "push/v1/enrolments/\(id)")
      answer = try decode(reply)
    }
    switch answer.answer {
    case "registered", "updated", "unchanged": return true
    case "pending": return false
    case "refused": throw Failure.refused(reason: answer.reason ?? "")
    default: throw Failure.noAnswer
    }
  }

  /// Has the backend remove this phone: nothing is sealed to it any more.
  func signOut(of registration: String) async throws {
    _ = try await ask("POST", "push/v1/sign-out", ["registration": .string(registration)])
  }

  /// Fetches the senders' newest signed set; the system asks with the entity tag of the one that it has.
  func senders(for topic: Topic) async throws -> [UInt8] {
    [UInt8](try await ask("GET", "push/v1/senders/\(topic.text)").data)
  }

  // MARK: HTTP

  private typealias Reply = (data: Data, status: Int)

  private func ask(_ method: String, _ path: String, _ body: JSONObject? = nil) async throws -> Reply {
    guard let url = URL(string: "\(address)/\(path)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0.encoded()) }
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    // A web page of another site cannot send it.
    request.setValue("1", forHTTPHeaderField: "SealedPush-Request")
    let (data, response) = try await URLSession.shared.data(for: request)
    switch (response as? HTTPURLResponse)?.statusCode ?? 0 {
    case let status where (200...299).contains(status): return (data, status)
    case 401: throw Failure.signedOut
    case 404: throw Failure.notFound
    case let status: throw Failure.status(status)
    }
  }

  private func decode<Value: Decodable>(_ reply: Reply) throws -> Value {
    try JSONDecoder().decode(Value.self, from: reply.data)
  }
}
