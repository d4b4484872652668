import Foundation

/// Who is logged in at the backend: a stand-in for your own login, which sets a cookie and answers with the person's ID.
struct Session: Sendable {
  static let address = URL(string: "https://example.com/lunch") ?? URL(fileURLWithPath: "/")

  /// The persons who are logged in, as the app remembers them: one at most.
  static var persons: [String] {
    UserDefaults.standard.string(forKey: "person").map { [$0] } ?? []
  }

  /// Logs in, and returns who the person is.
  static func logIn() async throws -> String {
    let person = String(decoding: try await post("login", [:]), as: UTF8.self)
    UserDefaults.standard.set(person, forKey: "person")
    return person
  }

  /// Forgets the person, and ends the session.
  static func logOut() async throws {
    UserDefaults.standard.removeObject(forKey: "person")
    _ = try await post("logout", [:])
  }

  /// Sends a request of the app's own.
  static func post(_ path: String, _ body: [String: String]) async throws -> Data {
    var request = URLRequest(url: address.appendingPathComponent(path))
    request.httpMethod = "POST"
    request.httpBody = try JSONEncoder().encode(body)
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    let (data, response) = try await URLSession.shared.data(for: request)
    guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
    return data
  }
}
