import Foundation
import PushEnvelope
import PushKeys
import PushPayload
import PushReceiver
import PushTesting
import Testing

/// The files of Vectors/ are what this package makes, and do what they say.
@Suite struct VectorTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Vectors")

  /// With SEALEDPUSH_WRITE_VECTORS=1 in the environment, the files are written instead of compared.
  @Test func filesAreMadeAnew() async throws {
    let writes = ProcessInfo.processInfo.environment["SEALEDPUSH_WRITE_VECTORS"] == "1"
    for (name, text) in try await VectorFiles().all() {
      let url = Self.folder.appending(path: name)
      if writes { try Data(text.utf8).write(to: url) }
      let file = try Data(contentsOf: url)
      #expect(file == Data(text.utf8), "\(name) differs from what the generator makes")
    }
  }

  @Test func everyPositiveOpens() async throws {
    let vectors = try read("opened.json")
    #expect(vectors.count >= 20)
    let receiver = try receiver()
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      var setting = Setting()
      setting.now = try time(vector["now"])
      let payload = try object(vector["payload"])
      #expect(
        (vector["payload"]?.string?.utf8.count ?? .max) <= (vector["limit"]?.number?.integer).map(Int.init)
          ?? 0, "\(id)")
      let reception = try await receiver.reception(of: payload, setting)
      guard case .opened(let opened) = reception.outcome else {
        Issue.record("\(id): \(reception.outcome)")
        continue
      }
      #expect(opened.sender?.text == vector["sender"]?.string, "\(id)")
      #expect(opened.claims.messageID.text == vector["messageID"]?.string, "\(id)")
      #expect(opened.claims.issuedAt.seconds == vector["issuedAt"]?.number?.integer, "\(id)")
      #expect(Int64(opened.claims.lifetime.seconds) == vector["lifetime"]?.number?.integer, "\(id)")
      #expect(reception.content.json.text == vector["shown"]?.object?.text, "\(id)")
    }
  }

  @Test func everyNegativeDegradesForItsReason() async throws {
    let vectors = try read("degraded.json")
    #expect(vectors.count >= 40)
    let receiver = try receiver()
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let accepts = try #require(vector["accepts"]?.object)
      var setting = Setting()
      setting.now = try time(vector["now"])
      setting.suites = try #require(accepts["suites"]?.array).compactMap {
        $0.string.flatMap(Suite.init(name:))
      }
      setting.anonymous = accepts["anonymous"] == true
      setting.isLocked = vector["locked"] != nil
      setting.hasNoTime = vector["deadline"] != nil
      if let after = vector["after"] { setting.after = try object(after) }
      let reception = try await receiver.reception(of: try object(vector["payload"]), setting)
      let reason = vector["expect"]?.string.flatMap(DegradeReason.init(rawValue:))
      #expect(reception.outcome == reason.map(Outcome.degraded), "\(id)")
      #expect(reception.content.json.text == vector["shown"]?.object?.text, "\(id)")
      #expect(!reception.content.title.isEmpty || !reception.content.body.isEmpty, "\(id)")
    }
  }

  @Test func everyReasonHasAVector() throws {
    let reasons = Set(try read("degraded.json").compactMap { $0["expect"]?.string })
    #expect(reasons == Set(DegradeReason.allCases.map(\.rawValue)))
  }

  @Test func everyRuleHasAVector() throws {
    let text = try String(contentsOf: Self.folder.appending(path: "FORMAT.md"), encoding: .utf8)
    let rules = Set(text.matches(of: /^- \[([0-9.]+)\]/.anchorsMatchLineEndings()).map { String($0.1) })
    #expect(rules.count >= 25)
    let covered = Set(try read("degraded.json").compactMap { $0["rule"]?.string })
    #expect(rules.subtracting(covered).isEmpty, "rules without a vector")
  }

  @Test func namesAreUnique() throws {
    let ids = try (read("opened.json") + read("degraded.json")).compactMap { $0["id"]?.string }
    #expect(Set(ids).count == ids.count)
  }

  private func receiver() throws -> VectorReceiver {
    let data = try Data(contentsOf: Self.folder.appending(path: "keys.json"))
    let keys = try JSONObject(parsing: Array(data).span, maximumDepth: 64)
    let device = try KeySet(parsing: try #require(keys["device"]?.object).encoded().span)
    let sender = try KeySet(parsing: try #require(keys["sender"]?.object).encoded().span)
    return VectorReceiver(keys: device, senders: sender.publicKeys)
  }

  private func read(_ name: String) throws -> [JSONObject] {
    let data = try Data(contentsOf: Self.folder.appending(path: name))
    let file = try JSONObject(parsing: Array(data).span, maximumDepth: 64)
    #expect(file["format"]?.string == "sealed-push v1")
    return try #require(file["vectors"]?.array).compactMap(\.object)
  }

  private func object(_ text: JSONValue?) throws -> JSONObject {
    try JSONObject(parsing: Array(try #require(text?.string).utf8).span, maximumDepth: 64)
  }

  private func time(_ value: JSONValue?) throws -> UnixTime {
    try #require(value?.number?.integer.flatMap(UnixTime.init(seconds:)))
  }
}
