import PushEnrolment
import Foundation
import SealedPush

/// The app's own backend, over HTTPS.
///
/// What it does with an enrolment is in the package's `Documentation/Continuity.md`. Its login is a stand-in for yours:
/// this one answers with the challenge, and sets a cookie.
struct Backend: Sendable {
  /// A status other than those that are expected.
  struct Refusal: Error {
    let status: Int
  }

  private let address = "https://example.com/lunch"

  /// Logs in, and returns the challenge that the first enrolment must sign.
  func signIn() async throws -> Challenge {
    try Challenge(String(decoding: try await request("POST", "login").data, as: UTF8.self))
  }

  /// Logs out; the backend forgets the registration.
  func signOut() async throws { _ = try await request("POST", "logout") }

  /// Sends an enrolment, and returns whether the backend uses it: not while the phone has to prove its key or token,
  /// which this backend answers with 202.
  func send(_ enrolment: [UInt8]) async throws -> Bool {
    try await request("POST", "enrolment", enrolment).status == 200
  }

  /// Sends the token of a Live Activity.
  func send(activityToken token: DeviceToken) async throws {
    _ = try await request("POST", "activity", Array(token.text.utf8))
  }

  /// Fetches the senders' newest signed set.
  func senders() async throws -> [UInt8] { [UInt8](try await request("GET", "senders.jws").data) }

  private func request(
    _ method: String, _ path: String, _ body: [UInt8]? = nil
  ) async throws -> (data: Data, status: Int) {
    guard let url = URL(string: "\(address)/\(path)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    request.httpBody = body.map { Data($0) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard [200, 202].contains(status) else { throw Refusal(status: status) }
    return (data, status)
  }
}
