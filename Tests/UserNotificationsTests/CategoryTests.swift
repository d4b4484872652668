import Foundation
import TestSupport
import Testing
import UserNotifications

@Suite("categories and actions", .hangGuard)
struct CategoryTests {
  @Test("the options have Apple's bits")
  func bits() {
    let actions: [UNNotificationActionOptions] = [.authenticationRequired, .destructive, .foreground]
    #expect(actions.map(\.rawValue) == [1, 2, 4])
    let categories: [UNNotificationCategoryOptions] = [
      .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle, .hiddenPreviewsShowSubtitle,
    ]
    #expect(categories.map(\.rawValue) == [1, 2, 4, 8])
    let presentation: [UNNotificationPresentationOptions] = [.badge, .sound, .list, .banner]
    #expect(presentation.map(\.rawValue) == [1, 2, 8, 16])
  }

  @Test("an action is what it was made of, and otherwise empty")
  func action() {
    let plain = UNNotificationAction(identifier: "a", title: "A")
    #expect(plain.identifier == "a")
    #expect(plain.title == "A")
    #expect(plain.options == [])
    #expect(plain.icon == nil)
    let icon = UNNotificationActionIcon(templateImageName: "i")
    let full = UNNotificationAction(identifier: "a", title: "A", options: .foreground, icon: icon)
    #expect(full.options == .foreground)
    #expect(full.icon == icon)
    #expect(full.copy() as? UNNotificationAction === full)
  }

  @Test("an action that asks for a text is what it was made of")
  func textInputAction() {
    let icon = UNNotificationActionIcon(systemImageName: "i")
    let plain = UNTextInputNotificationAction(
      identifier: "a", title: "A", textInputButtonTitle: "B", textInputPlaceholder: "P")
    #expect(plain.textInputButtonTitle == "B")
    #expect(plain.textInputPlaceholder == "P")
    #expect(plain.options == [])
    #expect(plain.icon == nil)
    let full = UNTextInputNotificationAction(
      identifier: "a", title: "A", options: .destructive, icon: icon, textInputButtonTitle: "B",
      textInputPlaceholder: "P")
    #expect(full.identifier == "a")
    #expect(full.title == "A")
    #expect(full.options == .destructive)
    #expect(full.icon == icon)
  }

  @Test("actions that differ in anything are not equal")
  func actionEquality() {
    func action(
      _ identifier: String = "a", _ title: String = "A", _ options: UNNotificationActionOptions = [],
      _ icon: UNNotificationActionIcon? = nil
    ) -> UNNotificationAction {
      UNNotificationAction(identifier: identifier, title: title, options: options, icon: icon)
    }
    func input(_ button: String = "B", _ placeholder: String = "P") -> UNTextInputNotificationAction {
      UNTextInputNotificationAction(
        identifier: "a", title: "A", textInputButtonTitle: button, textInputPlaceholder: placeholder)
    }
    let all = [
      action(), action("b"), action("a", "B"), action("a", "A", .foreground),
      action("a", "A", [], UNNotificationActionIcon(systemImageName: "i")),
      action("a", "A", [], UNNotificationActionIcon(templateImageName: "i")),
      action("a", "A", [], UNNotificationActionIcon(systemImageName: "j")), input(), input("C"),
      input("B", "Q"),
    ]
    for (index, one) in all.enumerated() {
      #expect(all.indices.filter { all[$0] == one } == [index])
    }
    #expect(action() == action())
    #expect(action().hash == action().hash)
    #expect(input() == input())
    #expect(input().hash == input().hash)
  }

  @Test("a category is what it was made of, and otherwise empty")
  func category() {
    let action = UNNotificationAction(identifier: "a", title: "A")
    let plain = UNNotificationCategory(identifier: "c", actions: [action], intentIdentifiers: ["i"])
    #expect(plain.identifier == "c")
    #expect(plain.actions == [action])
    #expect(plain.intentIdentifiers == ["i"])
    #expect(plain.options == [])
    #expect(plain.hiddenPreviewsBodyPlaceholder.isEmpty)
    #expect(plain.categorySummaryFormat.isEmpty)
    let hidden = UNNotificationCategory(
      identifier: "c", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: "P",
      options: .allowInCarPlay)
    #expect(hidden.hiddenPreviewsBodyPlaceholder == "P")
    #expect(hidden.options == .allowInCarPlay)
    let summed = UNNotificationCategory(
      identifier: "c", actions: [], intentIdentifiers: [], hiddenPreviewsBodyPlaceholder: nil,
      categorySummaryFormat: "%u")
    #expect(summed.hiddenPreviewsBodyPlaceholder.isEmpty)
    #expect(summed.categorySummaryFormat == "%u")
    #expect(summed.copy() as? UNNotificationCategory === summed)
  }

  @Test("categories that differ in anything are not equal")
  func categoryEquality() {
    func category(
      _ identifier: String = "c", _ actions: [UNNotificationAction] = [], _ intents: [String] = [],
      _ placeholder: String = "", _ format: String = "", _ options: UNNotificationCategoryOptions = []
    ) -> UNNotificationCategory {
      UNNotificationCategory(
        identifier: identifier, actions: actions, intentIdentifiers: intents,
        hiddenPreviewsBodyPlaceholder: placeholder, categorySummaryFormat: format, options: options)
    }
    let all = [
      category(), category("d"), category("c", [UNNotificationAction(identifier: "a", title: "A")]),
      category("c", [], ["i"]), category("c", [], [], "P"), category("c", [], [], "", "F"),
      category("c", [], [], "", "", .customDismissAction),
    ]
    #expect(Set(all).count == all.count)
    #expect(Set(all + [category()]).count == all.count)
  }

  @Test("a center has the categories that were set last")
  func registration() async {
    let center = UNUserNotificationCenter(categories: [])
    #expect(await center.notificationCategories().isEmpty)
    let (one, other) = (
      UNNotificationCategory(identifier: "c", actions: [], intentIdentifiers: []),
      UNNotificationCategory(identifier: "d", actions: [], intentIdentifiers: [])
    )
    center.setNotificationCategories([one])
    center.setNotificationCategories([other])
    #expect(await center.notificationCategories() == [other])
    let identifiers = await withCheckedContinuation { continuation in
      center.getNotificationCategories { continuation.resume(returning: $0.map(\.identifier)) }
    }
    #expect(identifiers == ["d"])
  }

  @Test("there is one center of the process")
  func currentCenter() {
    #expect(UNUserNotificationCenter.current() === UNUserNotificationCenter.current())
    #expect(UNUserNotificationCenter.current() !== UNUserNotificationCenter(categories: []))
  }

  @Test("a center does not keep its delegate alive")
  func weakDelegate() {
    let center = UNUserNotificationCenter(categories: [])
    var delegate: ResponseHandler? = ResponseHandler()
    center.delegate = delegate
    #expect(center.delegate === delegate)
    delegate = nil
    #expect(center.delegate == nil)
  }
}
