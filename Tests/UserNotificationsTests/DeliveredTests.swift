import Foundation
import TestSupport
import Testing
import UserNotifications

@Suite("delivered notifications", .hangGuard)
struct DeliveredTests {
  private let center = UNUserNotificationCenter(categories: [])

  private func add(_ identifiers: String...) async throws {
    for identifier in identifiers {
      try await center.add(
        UNNotificationRequest(identifier: identifier, content: UNNotificationContent(), trigger: nil))
    }
  }

  private var identifiers: [String] {
    get async { await center.deliveredNotifications().map(\.request.identifier) }
  }

  @Test("one with an identifier takes the place of the one before")
  func replaced() async throws {
    try await add("a", "b", "a")
    #expect(await identifiers == ["b", "a"])
  }

  @Test("those with the identifiers are removed, and others stay")
  func removed() async throws {
    try await add("a", "b", "c")
    center.removeDeliveredNotifications(withIdentifiers: ["a", "c", "d"])
    #expect(await identifiers == ["b"])
    center.removeAllDeliveredNotifications()
    #expect(await identifiers == [])
  }

  @Test("the oldest goes when there are too many")
  func bounded() async throws {
    for number in 0...UNUserNotificationCenter.maximumDelivered { try await add("\(number)") }
    #expect(await identifiers.count == UNUserNotificationCenter.maximumDelivered)
    #expect(await identifiers.first == "1")
  }

  @Test("a handler gets them, too")
  func handler() async throws {
    try await add("a")
    let count = await withCheckedContinuation { continuation in
      center.getDeliveredNotifications { continuation.resume(returning: $0.count) }
    }
    #expect(count == 1)
  }
}
