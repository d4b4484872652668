import Foundation
import PushCore
import PushEnrolment
import PushKeys
import PushStore
import StoreSupport
import TestSupport
import Testing

/// Whose tokens they are, and who has them already: `Vectors/signed.json`, FORMAT.md, [11.37].
@Suite("The vectors of other tokens", .hangGuard)
struct TokenVectorTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Vectors/signed.json")

  /// Those that are read.
  private static func vectors() throws -> [JSONObject] {
    let bytes = Array(try Data(contentsOf: file))
    let all =
      try JSONObject(parsing: bytes.span, maximumDepth: 64)["tokens"]?.array?.compactMap(\.object) ?? []
    return all.filter { ["accepted", "unchanged"].contains($0["expect"]?.string) || $0["rule"] == "11.37" }
  }

  @Test("are taken, or refused for their reason", arguments: Engine.all)
  func all(engine: Engine) async throws {
    let vectors = try Self.vectors()
    #expect(vectors.count >= 30)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let store = try await engine.start().store
      for line in try #require(vector["lines"]?.array).compactMap(\.string) {
        #expect(try await store.apply([.add(try Registration(parsing: Array(line.utf8).span))]), "\(id)")
      }
      for text in vector["before"]?.array?.compactMap(\.string) ?? [] {
        _ = try await store.accept(try Self.tokens(text))
      }
      let spaces = String(repeating: " ", count: Int(vector["spaces"]?.number?.integer ?? 0))
      switch try await store.accept(try Self.tokens(try #require(vector["tokens"]?.string) + spaces)) {
      case .failure(let error): #expect(error.code == vector["expect"]?.string, "\(id)")
      case .success:
        #expect(vector["rule"] == nil, "\(id)")
        let name = try #require(vector["registration"]?.string)
        let device = try #require(try await store.device(named: name))
        #expect(try await store.tokens(of: [device]) == [try Self.taken(by: vector)], "\(id)")
      }
    }
  }

  private static func tokens(_ text: String) throws -> DeviceTokens {
    try DeviceTokens(parsing: Array(text.utf8).span, audience: try Audience("https://push.example.com"))
  }

  private static func taken(by vector: JSONObject) throws -> [TokenUse: DeviceToken] {
    let entries = try #require(vector["taken"]?.array).compactMap(\.object)
    return Dictionary(
      uniqueKeysWithValues: try entries.map { entry in
        let use = TokenUse(word: entry["use"]?.string ?? "", name: entry["name"]?.string ?? "")
        return (try #require(use), try DeviceToken(try #require(entry["token"]?.string)))
      })
  }
}
