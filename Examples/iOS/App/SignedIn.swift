import Foundation

/// Who is signed in on this phone, and what the backend calls the phone.
struct SignedIn: Codable, Sendable {
  /// The person's ID.
  let person: String

  /// The backend's name for the registration.
  let registration: String
}

/// A file with who is signed in; it may come with a backup, without the keys.
struct SignedInFile: Sendable {
  let path: String

  private var url: URL { URL(fileURLWithPath: path) }

  /// Who is signed in; nil if nobody is.
  func load() throws -> SignedIn? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try JSONDecoder().decode(SignedIn.self, from: Data(contentsOf: url))
  }

  func save(_ signedIn: SignedIn) throws {
    try JSONEncoder().encode(signedIn).write(to: url, options: .atomic)
  }

  func remove() throws {
    if FileManager.default.fileExists(atPath: path) { try FileManager.default.removeItem(at: url) }
  }
}
