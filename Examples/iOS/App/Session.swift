import Foundation

/// Who is logged in at the backend: a stand-in for your own login, which sets a cookie and answers with the person's ID.
struct Session: Sendable {
  static let address = URL(string: "https://example.com/lunch") ?? URL(fileURLWithPath: "/")

  private static let file = URL.documentsDirectory.appendingPathComponent("person.txt")

  /// The persons who are logged in, as the app remembers them: one at most, and nil before the phone is first unlocked.
  static var persons: [String]? {
    guard FileManager.default.fileExists(atPath: file.path) else { return [] }
    return (try? Data(contentsOf: file)).map { [String(decoding: $0, as: UTF8.self)] }
  }

  /// Logs in, and returns who the person is.
  static func logIn() async throws -> String {
    let person = try await post("login", [:])
    try person.write(to: file, options: .atomic)
    return String(decoding: person, as: UTF8.self)
  }

  /// Forgets the person.
  static func forget() throws {
    if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
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
