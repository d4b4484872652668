import Foundation
import PushCrypto
import PushCore
import PushEnrolment
import PushKeys
import PushReceiver
import PushTesting
import Testing

/// The files of Vectors/ are what this package makes, and do what they say.
@Suite struct VectorTests {
  let folder = VectorFolder()

  /// With SEALEDPUSH_WRITE_VECTORS=1 in the environment, the files are written instead of compared.
  @Test(
    .enabled(
      if: XSalsa20Poly1305.isAvailable && PBKDF2.isAvailable(with: .md5),
      "CryptoKit lacks what formats.json is made with, and its signatures differ each time")
  )
  func filesAreMadeAnew() async throws {
    for (name, text) in try await VectorFiles().all() { try expectFile(name, is: text) }
  }

  func expectFile(_ name: String, is text: String) throws {
    let url = folder.url(name)
    if ProcessInfo.processInfo.environment["SEALEDPUSH_WRITE_VECTORS"] == "1" {
      try Data(text.utf8).write(to: url)
    }
    let file = try Data(contentsOf: url)
    #expect(file == Data(text.utf8), "\(name) differs from what the generator makes")
  }

  @Test(arguments: [
    ("opened.json", "vectors"), ("shared.json", "opened"), ("edges.json", "opened"),
    ("accounts.json", "opened"), ("callers.json", "vectors"),
  ])
  func everyPositiveOpens(_ file: String, _ list: String) async throws {
    try await expectOpened(file, list)
  }

  func expectOpened(_ file: String, _ list: String) async throws {
    let vectors = try folder.read(file, list)
    #expect(vectors.count >= 15)
    let receiver = try folder.receiver(of: file)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      var setting = Setting()
      setting.topic = try #require(vector["topic"]?.string)
      setting.suites = Suite.allCases
      setting.now = try folder.time(vector["now"])
      setting.accounts = try folder.accounts(vector["accounts"])
      let payload = try folder.object(vector["payload"])
      if let after = vector["after"] { setting.after = try folder.object(after) }
      #expect(
        folder.size(of: vector) <= (vector["limit"]?.number?.integer).map(Int.init) ?? 0, "\(id)")
      let reception = try await receiver.reception(of: payload, setting)
      guard case .opened(let opened) = reception.outcome else {
        Issue.record("\(id): \(reception.outcome)")
        continue
      }
      #expect(opened.isDuplicate == (vector["duplicate"] == true), "\(id)")
      #expect(opened.sender?.text == vector["sender"]?.string, "\(id)")
      #expect(opened.claims.messageID.text == vector["messageID"]?.string, "\(id)")
      #expect(opened.claims.issuedAt.seconds == vector["issuedAt"]?.number?.integer, "\(id)")
      #expect(Int64(opened.claims.lifetime.seconds) == vector["lifetime"]?.number?.integer, "\(id)")
      #expect(reception.content.inVectors.text == vector["shown"]?.object?.text, "\(id)")
      if let heeds = vector["heeds"]?.object {
        #expect(try heeded(in: payload, receiver, setting) == heeds, "\(id)")
      }
    }
  }

  /// What an opener heeds of what a caller says beside the content: [6.6], [6.7].
  private func heeded(
    in payload: JSONObject, _ receiver: VectorReceiver, _ setting: Setting
  ) throws -> JSONObject {
    let opener = try receiver.receiver(at: setting.now, remembering: InMemoryReplayStore())
    let message = try opener.open(IncomingPush(payload: payload))
    let changes = message.opened.changes
    var heeds: JSONObject = [:]
    heeds["replaces"] = changes.replaces.map { .string($0.text) }
    heeds["removes"] = changes.removes.isEmpty ? nil : .array(changes.removes.map { .string($0.text) })
    let bytes = message.opened.sender == nil ? nil : message.notification.bytes
    heeds["bytes"] = bytes.map { .string(Base64URL.encode($0.span)) }
    return heeds
  }

  @Test(arguments: [
    ("degraded.json", "vectors"), ("shared.json", "degraded"), ("edges.json", "degraded"),
    ("accounts.json", "degraded"),
  ])
  func everyNegativeDegradesForItsReason(_ file: String, _ list: String) async throws {
    try await expectDegraded(try folder.read(file, list), of: file)
  }

  func expectDegraded(_ vectors: [JSONObject], of file: String) async throws {
    #expect(vectors.count >= 15)
    let receiver = try folder.receiver(of: file)
    for vector in vectors {
      let id = try #require(vector["id"]?.string)
      let accepts = try #require(vector["accepts"]?.object)
      var setting = Setting()
      setting.now = try folder.time(vector["now"])
      setting.suites = try #require(accepts["suites"]?.array).compactMap {
        $0.string.flatMap(Suite.init(name:))
      }
      setting.anonymous = accepts["anonymous"] == true
      setting.isLocked = vector["locked"] != nil
      setting.hasNoTime = vector["deadline"] != nil
      setting.accounts = try folder.accounts(vector["accounts"])
      if let after = vector["after"] { setting.after = try folder.object(after) }
      let reception = try await receiver.reception(of: try folder.object(vector["payload"]), setting)
      let reason = vector["expect"]?.string.flatMap(DegradeReason.init(rawValue:))
      #expect(reception.outcome == reason.map(Outcome.degraded), "\(id)")
      #expect(reception.content.inVectors.text == vector["shown"]?.object?.text, "\(id)")
      #expect(!reception.content.title.isEmpty || !reception.content.body.isEmpty, "\(id)")
    }
  }

  @Test func everySharedKeyHasItsThumbprint() throws {
    let vectors = try folder.read("shared.json", "thumbprints")
    #expect(vectors.count >= 4)
    for vector in vectors {
      let key = try #require(vector["k"]?.string)
      let kid = vector["kid"]?.string
      let jwk =
        #"{"keys":[{"kty":"oct","k":"\#(key)","kid":"\#(kid ?? key)","use":"enc","#
        + #""alg":"shared-chachapoly","iat":0,"status":"active"}]}"#
      let set = try? KeySet(parsing: Array(jwk.utf8).span)
      #expect(set?.records.first?.id.text == kid, "\(vector["id"]?.string ?? "")")
    }
  }

  @Test func everyAccountHasItsTag() throws {
    let vectors = try folder.read("accounts.json", "tags")
    #expect(vectors.count >= 5)
    for vector in vectors {
      let identity = try Thumbprint(try #require(vector["identity"]?.string))
      let person = try #require(vector["person"]?.string)
      #expect(AccountTag(person: person, identity: identity).text == vector["tag"]?.string)
    }
  }

  @Test func everyReasonHasAVector() throws {
    let vectors = try folder.read("degraded.json") + folder.read("accounts.json", "degraded")
    let reasons = Set(vectors.compactMap { $0["expect"]?.string })
    // What other systems' envelopes degrade to is the receiver's own, and no part of the format.
    let own = Set(DegradeReason.allCases).subtracting([.otherFormat])
    #expect(reasons == Set(own.map(\.rawValue)))
  }

  @Test func everyRuleHasAVector() throws {
    let text = try String(contentsOf: folder.url("FORMAT.md"), encoding: .utf8)
    let rules = Set(text.matches(of: /^- \[([0-9.]+)\]/.anchorsMatchLineEndings()).map { String($0.1) })
    #expect(rules.count >= 25)
    let vectors = try folder.readAll()
    let covered = Set(vectors.compactMap { $0["rule"]?.string })
    // These refuse nothing: they say what is pending, what is a claim, and what moves at once. One needs times.
    let refusingNothing: Set = ["11.18", "11.21", "11.23", "11.30"]
    #expect(rules.subtracting(covered) == refusingNothing, "rules without a vector")
    #expect(vectors.count { $0["expect"] == "pending" } >= 20)
    let claims = vectors.filter { $0["challenge"] != nil }
    #expect(claims.count { $0["expect"] == "pending" } >= 10)
    #expect(claims.contains { $0["expect"] == "registered" })
    // Section 8 says what is shown, and numbers nothing.
    #expect(covered.subtracting(rules) == ["8"], "rules that are not in the document")
  }

  @Test func namesAreUnique() throws {
    let vectors = try folder.readAll()
    // An address is its own name.
    let ids = vectors.compactMap { ($0["id"] ?? $0["url"])?.string }
    #expect(ids.count == vectors.count && Set(ids).count == ids.count)
    #expect(vectors.allSatisfy { $0["comment"]?.string?.isEmpty == false })
  }
}
