import PushCore
import PushKeys
import PushReceiver
import Testing

/// `xwing.json` is what this package makes, and does what it says.
///
/// Where this system's libraries lack the suite, everything is checked that needs no ML-KEM.
@Suite struct XWingVectorTests {
  static let lacking: Comment = "the libraries of this system lack ML-KEM; Scripts/check debian13 runs this"
  private static let having: Comment = "the libraries of this system have ML-KEM"

  private let vectors = VectorTests()
  private var folder: VectorFolder { vectors.folder }

  @Test(.enabled(if: Suite.xwingAESGCM.isAvailable, lacking)) func fileIsMadeAnew() async throws {
    try vectors.expectFile("xwing.json", is: try await VectorFiles().xwing())
  }

  @Test(.enabled(if: Suite.xwingAESGCM.isAvailable, lacking)) func everyPositiveOpens() async throws {
    try await vectors.expectOpened("xwing.json", "opened")
  }

  @Test(.enabled(if: Suite.xwingAESGCM.isAvailable, lacking))
  func everyNegativeDegradesForItsReason() async throws {
    let negative = try folder.read("xwing.json", "degraded").filter { $0["lacks"] == nil }
    try await vectors.expectDegraded(negative, of: "xwing.json")
  }

  @Test(.enabled(if: Suite.xwingAESGCM.isAvailable, lacking)) func everyDataOpensOrIsRefused() throws {
    try DataVectorTests().expectOutcomes(try folder.read("xwing.json", "data"))
  }

  /// [2.7] comes after the rules of the envelope, and before all others.
  @Test(.enabled(if: !Suite.xwingAESGCM.isAvailable, having))
  func everyGoodEnvelopeIsUnsupported() async throws {
    let all = try ["opened", "degraded"].flatMap { try folder.read("xwing.json", $0) }
    let receiver = try folder.receiver(of: "xwing.json")
    var count = 0
    for vector in all {
      let id = try #require(vector["id"]?.string)
      var setting = Setting()
      setting.now = try folder.time(vector["now"])
      let payload = try folder.object(vector["payload"])
      let bytes = try Base64URL.decode(try #require(payload["ENCRYPTED_DATA"]?.string))
      guard bytes[1] == Suite.xwingAESGCM.rawValue else { continue }
      let isWhole = vector["expect"]?.string != DegradeReason.malformedEnvelope.rawValue
      for suites in [Suite.allCases, Setting.publicKeySuites] {
        setting.suites = suites
        let outcome = try await receiver.reception(of: payload, setting).outcome
        #expect(outcome == .degraded(isWhole ? .unsupportedSuite : .malformedEnvelope), "\(id)")
      }
      count += 1
    }
    #expect(count >= 80)
  }

  @Test(arguments: [false, true]) func everySetIsReadOrRefused(isPrivate: Bool) throws {
    let sets = try folder.read("xwing.json", "sets").filter { ($0["private"] == true) == isPrivate }
    #expect(sets.count >= (isPrivate ? 7 : 40))
    for vector in sets where Suite.xwingAESGCM.isAvailable || vector["id"] != "xwing-set-seed-other" {
      let text = Array(try #require(vector["set"]?.string).utf8)
      let records =
        isPrivate ? try? KeySet(parsing: text.span).records : try? PublicKeySet(parsing: text.span).records
      #expect(
        records?.map(\.id.text) == vector["kids"]?.array?.compactMap(\.string),
        "\(vector["id"]?.string ?? "")")
    }
  }

  /// A set must stay readable for the sake of its other keys.
  @Test(.enabled(if: !Suite.xwingAESGCM.isAvailable, having)) func noSeedIsComparedWithoutTheSuite() throws {
    let vector = try folder.read("xwing.json", "sets").first { $0["id"] == "xwing-set-seed-other" }
    let text = Array(try #require(vector?["set"]?.string).utf8)
    #expect(try KeySet(parsing: text.span).records.count == 1)
  }

  @Test func everyEnrolmentIsTakenOrRefused() throws {
    let enrolments = try folder.read("xwing.json", "enrolments")
    #expect(enrolments.count >= 7)
    try SignedVectorTests().expectEnrolments(enrolments)
  }

  @Test(.enabled(if: Suite.xwingAESGCM.isAvailable, lacking)) func everyRegistrationIsTaken() throws {
    let registrations = try folder.read("xwing.json", "registrations").filter { $0["lacks"] == nil }
    #expect(registrations.count >= 5)
    try SignedVectorTests().expectRegistrations(registrations)
  }

  @Test(.enabled(if: !Suite.xwingAESGCM.isAvailable, having)) func keysAreLeftAsideWithoutTheSuite() throws {
    let registrations = try folder.read("xwing.json", "registrations").filter { $0["lacks"] != nil }
    #expect(registrations.count >= 8)
    try SignedVectorTests().expectRegistrations(registrations)
  }

  /// What FORMAT.md and the tables of sizes say.
  @Test func longestTextsHaveTheirLengths() throws {
    let longest = try folder.read("xwing.json", "opened").filter {
      $0["id"]?.string?.contains("largest") == true
    }
    let lengths = try longest.map {
      try folder.object($0["content"])["aps"]?.object?["alert"]?.object?["body"]?.string?.utf8.count
    }
    #expect(lengths == [1701, 1773])
  }
}
