#if !canImport(Darwin)
  import Foundation
  import PushKeys
  import PushCore
  import PushSealer
  import PushTesting
  import TestSupport
  import Testing
  import UserNotifications

  /// What becomes of each member that is visible by choice: the table in Documentation/Guides/Sealing.md, cell by cell.
  @Suite(.hangGuard)
  struct VisibleByChoiceTests {
    private static let document = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "Documentation/Guides/Sealing.md")

    /// A row of the table.
    struct Row: Sendable, CustomTestStringConvertible {
      let member: VisibleMember
      /// What the document says of it.
      let cells: String
      let sealed: JSONValue
      /// What somebody on the way puts in the visible one's place.
      let changed: JSONValue
      /// What is seen if the extension does not run, if the push does not open, and if it opens.
      let seen: [String]
      let look: @Sendable (ShownNotification) -> String

      var testDescription: String { member.name }
    }

    static let rows = [
      Row(
        member: .badge, cells: "sets the badge | the badge stays as it was | the sealed badge", sealed: 3,
        changed: 99,
        seen: ["99", "as it was", "3"], look: { $0.content.badge?.stringValue ?? "as it was" }),
      Row(
        member: .sound, cells: "plays | the default sound | the sealed sound", sealed: "bell.caf",
        changed: "alarm.caf",
        seen: ["alarm.caf", "default", "bell.caf"],
        look: { $0.content.sound.map { $0.values.name?.rawValue ?? "default" } ?? "silence" }),
      Row(
        member: .threadID, cells: "groups the placeholder | no group | the sealed group", sealed: "chat-42",
        changed: "other", seen: ["other", "", "chat-42"], look: { $0.content.threadIdentifier }),
      Row(
        member: .category,
        cells: "gives the placeholder its buttons | no buttons | the sealed category's buttons",
        sealed: "MESSAGE", changed: "MEETING", seen: ["Accept", "", "Reply"],
        look: { $0.buttons.map(\.title).joined(separator: ",") }),
      Row(
        member: .targetContentID, cells: "names the window | no window | the sealed window", sealed: "w",
        changed: "other", seen: ["other", "no window", "w"],
        look: { $0.content.targetContentIdentifier ?? "no window" }),
      Row(
        member: .interruptionLevel, cells: "breaks through a Focus as it says | `active` | the sealed level",
        sealed: "time-sensitive", changed: "critical", seen: ["3", "1", "2"],
        look: { "\($0.content.interruptionLevel.rawValue)" }),
      Row(
        member: .relevanceScore, cells: "ranks the placeholder in the summary | 0 | the sealed rank",
        sealed: 0.5,
        changed: 1, seen: ["1.0", "0.0", "0.5"], look: { "\($0.content.relevanceScore)" }),
      Row(
        member: .filterCriteria, cells: "a Focus filters by it | none | the sealed criteria", sealed: "work",
        changed: "home", seen: ["home", "none", "work"], look: { $0.content.filterCriteria ?? "none" }),
      Row(
        member: .custom("chat"),
        cells: "in `userInfo` | not in `userInfo`, which has only the envelope | the sealed value",
        sealed: 42, changed: 7, seen: ["7", "ENCRYPTED_DATA", "42"],
        look: { shown in
          let userInfo = shown.content.userInfo
          return (userInfo["chat"] as? Int).map(String.init)
            ?? userInfo.keys.map { "\($0)" }.joined(separator: ",")
        }),
    ]

    private let bench = Bench()

    @Test("the table has these rows, and no other")
    func table() throws {
      let text = try String(contentsOf: Self.document, encoding: .utf8)
      let table = text.split(separator: "| visible | the extension does not run |")[1].split(
        separator: "\n\n")[
          0]
      let lines = table.split(separator: "\n").dropFirst(2).map(String.init)
      let rows = Self.rows.map { row in
        if case .custom = row.member { return "| the app's own | \(row.cells) |" }
        return "| `\(row.member.name)` | \(row.cells) |"
      }
      #expect(lines == rows)
    }

    @Test("the visible member counts where the extension does not run, and nowhere else", arguments: rows)
    func cells(row: Row) async throws {
      let payload = try payload(of: row)
      var seen: [String] = []
      for (keys, runs) in [(bench.device, false), (LockedKeyStore(), true), (bench.device, true)]
        as [(any DeviceKeyStore, Bool)]
      {
        var phone = Phone()
        phone.alertsAreOn = runs
        let receiver = bench.receiver(keys: keys)
        let host = ExtensionHost(clock: ManualClock(Bench.now), phone: phone) { LunchService(receiver) }
        host.setNotificationCategories([.category("MESSAGE", "Reply"), .category("MEETING", "Accept")])
        let shown = try await host.deliver(payload.encoded(), admitsPlaceholder: true)
        #expect(shown.source == (runs ? .serviceExtension : .original(.notRun(.alertsOff))))
        seen.append(row.look(shown))
      }
      #expect(seen == row.seen)
    }

    /// A push with a member that is visible by choice, and was changed on the way.
    private func payload(of row: Row) throws -> JSONObject {
      let isCustom = row.member == .custom(row.member.name)
      var aps: JSONObject = ["alert": ["title": "Ada", "body": "Lunch?"]]
      if !isCustom { aps[row.member.name] = row.sealed }
      var content: JSONObject = ["aps": .object(aps)]
      if isCustom { content[row.member.name] = row.sealed }
      let sealer = Sealer(
        topic: Bench.topic, signingKey: try bench.backend.signingKey(),
        policy: SealingPolicy(visible: [row.member]))
      let push = try sealer.seal(payload: content, to: bench.device.publicKeys.recipient(), at: Bench.now)
      var payload = try JSONObject(parsing: push.payload.span)
      aps = payload["aps"]?.object ?? [:]
      #expect((isCustom ? payload : aps)[row.member.name] == row.sealed)
      if isCustom { payload[row.member.name] = row.changed } else { aps[row.member.name] = row.changed }
      payload["aps"] = .object(aps)
      return payload
    }
  }

  extension UNNotificationCategory {
    /// A category with one button.
    fileprivate static func category(_ identifier: String, _ title: String) -> UNNotificationCategory {
      UNNotificationCategory(
        identifier: identifier, actions: [UNNotificationAction(identifier: title, title: title)],
        intentIdentifiers: [])
    }
  }
#endif
