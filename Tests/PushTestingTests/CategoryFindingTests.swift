import PushTesting
import TestSupport
import Testing
import UserNotifications

/// "All action objects must have unique identifiers", even in different categories (Apple, "Declaring your actionable
/// notification types").
@Suite(.hangGuard)
struct CategoryFindingTests {
  private func findings(_ categories: Set<UNNotificationCategory>) -> [CategoryFinding] {
    let host = ExtensionHost(clock: ManualClock(Bench.now)) { UNNotificationServiceExtension() }
    host.setNotificationCategories(categories)
    return host.findings
  }

  private func category(_ identifier: String, _ actions: String...) -> UNNotificationCategory {
    let actions = actions.map { action in
      let parts = action.split(separator: "=").map(String.init)
      return UNNotificationAction(identifier: parts[0], title: parts.last ?? "", options: [])
    }
    return UNNotificationCategory(identifier: identifier, actions: actions, intentIdentifiers: [])
  }

  @Test("identifiers that are unique")
  func unique() {
    #expect(findings([category("INVITATION", "ACCEPT", "DECLINE"), category("MESSAGE", "REPLY")]).isEmpty)
    #expect(findings([]).isEmpty)
  }

  @Test("an action's identifier in two categories", arguments: ["OK", "OK=Other title"])
  func twoCategories(other: String) {
    let found = findings([category("B", "OK", "X"), category("A", other), category("C", "Y")])
    #expect(found == [.repeatedAction("OK", categories: ["A", "B"])])
  }

  @Test("an action's identifier twice in one category")
  func oneCategory() {
    #expect(findings([category("A", "OK", "OK=Other")]) == [.repeatedAction("OK", categories: ["A"])])
  }

  @Test("two categories with the same identifier")
  func repeatedCategory() {
    #expect(findings([category("A", "X"), category("A", "Y")]) == [.repeatedCategory("A")])
  }

  @Test("all of it, in order")
  func all() {
    let found = findings([
      category("B", "2", "1"), category("B", "3"), category("A", "1"), category("A", "2"),
    ])
    #expect(
      found == [
        .repeatedCategory("A"), .repeatedCategory("B"), .repeatedAction("1", categories: ["A", "B"]),
        .repeatedAction("2", categories: ["A", "B"]),
      ])
  }

  #if !canImport(Darwin)
    @Test("an app that registers with its center")
    func center() {
      let host = ExtensionHost(clock: ManualClock(Bench.now)) { UNNotificationServiceExtension() }
      host.center.setNotificationCategories([category("A", "OK"), category("B", "OK")])
      #expect(host.findings == [.repeatedAction("OK", categories: ["A", "B"])])
    }
  #endif
}
