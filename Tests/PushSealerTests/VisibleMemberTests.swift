import PushCore
import PushKeys
import PushSealer
import Testing

/// What stays visible because a policy says so.
struct VisibleMemberTests {
  private let backend = Backend()
  private let device = Device(.x25519ChaChaPoly)

  private static let json =
    #"{"aps":{"alert":{"title":"Ada","body":"Lunch?"},"badge":3,"sound":"bell.caf","thread-id":"chat-42","#
    + #""category":"MESSAGE","target-content-id":"w","interruption-level":"time-sensitive","#
    + #""relevance-score":0.50,"filter-criteria":"f"},"chat":{"id":42},"other":true}"#

  private func seal(_ visible: Set<VisibleMember>, json: String = json) throws -> SealedNotification {
    try backend.sealer(policy: SealingPolicy(visible: visible)).seal(json: json, to: device)
  }

  @Test(
    "a chosen member is visible as it is, and sealed all the same",
    arguments: [
      (.badge, "3"), (.threadID, #""chat-42""#), (.category, #""MESSAGE""#), (.targetContentID, #""w""#),
      (.interruptionLevel, #""time-sensitive""#), (.relevanceScore, "0.50"), (.filterCriteria, #""f""#),
    ] as [(VisibleMember, String)])
  func member(member: VisibleMember, json: String) throws {
    let push = try seal([member])
    #expect(
      try push.skeleton()
        == #"{"aps":{"alert":{"title":"New notification","body":"(Encrypted)"},"mutable-content":1,"#
        + #""sound":"default","\#(member.name)":\#(json)},"ENCRYPTED_DATA":""}"#)
    #expect(text(try device.open(push).content) == Self.json)
  }

  @Test("a chosen sound takes the placeholder's place")
  func sound() throws {
    #expect(try seal([.sound]).json["aps"]?.object?["sound"] == "bell.caf")
  }

  @Test("where there is no such member, nothing is visible, and a chosen sound is silence")
  func absent() throws {
    let push = try seal([.badge, .sound, .custom("chat")], json: #"{"aps":{"alert":"Lunch?"}}"#)
    #expect(
      try push.skeleton()
        == #"{"aps":{"alert":{"title":"New notification","body":"(Encrypted)"},"mutable-content":1},"#
        + #""ENCRYPTED_DATA":""}"#)
  }

  @Test("a member of the app's own is visible beside aps")
  func custom() throws {
    let push = try seal([.custom("chat")])
    #expect(try push.json.keys == ["aps", "chat", "ENCRYPTED_DATA"])
    #expect(try push.json["chat"] == ["id": 42])
  }

  @Test("no text can be made visible", arguments: ["alert", "aps", "title", "body", "aps.alert.body"])
  func noText(name: String) throws {
    let push = try seal([VisibleMember(name: name)])
    #expect(try push.skeleton() == backend.sealer().seal(json: Self.json, to: device).skeleton())
  }

  @Test("a name is Apple's member or else the app's own")
  func names() {
    #expect(VisibleMember(name: "thread-id") == .threadID)
    #expect(VisibleMember(name: "chat") == .custom("chat"))
  }

  @Test("what is visible takes room from what is sealed, and no payload is over the limit")
  func room() throws {
    let visible = try seal([.custom("chat"), .threadID, .badge])
    let skeleton = try visible.skeleton().utf8.count
    #expect(visible.budget.skeleton == skeleton)
    #expect(visible.budget.capacity == 3 * (4096 - skeleton) / 4 - 58)
    let sealer = try backend.sealer(policy: SealingPolicy(padding: .maximum, visible: [.custom("chat")]))
    #expect((4095...4096).contains(try sealer.seal(json: Self.json, to: device).payload.count))
  }

  @Test(
    "lint names each member that is visible by choice",
    arguments: [
      (.badge, "visible-badge"), (.sound, "visible-sound"), (.threadID, "visible-thread-id"),
      (.category, "visible-category"), (.targetContentID, "visible-target"),
      (.interruptionLevel, "visible-interruption-level"), (.relevanceScore, "visible-relevance-score"),
      (.filterCriteria, "visible-target"), (.custom("chat"), "visible-custom-key"),
    ] as [(VisibleMember, String)])
  func lint(member: VisibleMember, code: String) throws {
    let policy = SealingPolicy(visible: [member])
    let findings = Lint(try seal([member]), policy: policy).findings
    #expect(findings.map(\.code) == [code])
    #expect(findings.first?.key.hasSuffix(member.name) == true)
  }

  @Test("lint has nothing to say where nothing is visible by choice")
  func lintOfThePlaceholder() throws {
    let push = try backend.sealer().seal(json: Self.json, to: device)
    #expect(Lint(push, policy: SealingPolicy()).findings.isEmpty)
  }

  @Test("silence and the default sound are the content's, too, where its sound is visible")
  func lintOfSilence() throws {
    let policy = SealingPolicy(visible: [.sound])
    for json in [#"{"aps":{"alert":"b"}}"#, #"{"aps":{"alert":"b","sound":"default"}}"#] {
      #expect(Lint(try seal([.sound], json: json), policy: policy).findings.map(\.code) == ["visible-sound"])
    }
  }

  @Test("a member that APNs would not take is not made visible")
  func wrongType() throws {
    let json = #"{"aps":{"alert":"b","filter-criteria":{"patient":"Ada"}}}"#
    #expect(throws: SealError.payload(.invalid(key: "aps.filter-criteria", rule: .mustBeString))) {
      try seal([.filterCriteria], json: json)
    }
  }

  @Test("lint names a collapse id of one's own")
  func lintOfHeaders() throws {
    let push = try backend.sealer().seal(
      RemoteNotification(body: "b"), to: device.recipient, headers: HeaderOptions(collapseID: "order-42"))
    #expect(Lint(push, policy: SealingPolicy()).findings.map(\.code) == ["visible-collapse-id"])
  }

  @Test("data shows members of the app's own alone", arguments: [PushType.background, .voip])
  func data(type: PushType) throws {
    let sealer = try backend.sealer(
      policy: SealingPolicy(pushType: type, visible: [.badge, .threadID, .custom("chat")]))
    let push = try sealer.seal(json: Self.json, to: device)
    #expect(try push.json["aps"]?.object?.keys == (type == .voip ? [] : ["content-available"]))
    #expect(try push.json.keys == ["aps", "chat", "ENCRYPTED_DATA"])
  }
}
