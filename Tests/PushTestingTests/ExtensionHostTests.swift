import Foundation
import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// The host does what iOS does: with payloads that bring no extension, with extensions that misbehave, with time.
@Suite(.hangGuard)
struct ExtensionHostTests {
  private let clock = ManualClock(Bench.now)
  private let payload = Array(#"{"aps":{"alert":{"title":"T","body":"B"},"mutable-content":1},"a":1}"#.utf8)

  private func host(
    _ phone: Phone = Phone(), _ work: @escaping @Sendable (TestExtension, UNNotificationContent) -> Void
  ) -> ExtensionHost {
    ExtensionHost(clock: clock, phone: phone) { TestExtension(work) }
  }

  @Test("an extension gets the payload's values, and what it hands over is seen")
  func handsOver() async throws {
    let host = host { service, content in
      let changed = UNMutableNotificationContent()
      changed.title = content.title + "!"
      changed.body = content.body + "!"
      changed.badge = content.userInfo["a"] as? NSNumber
      service.handler?(changed)
    }
    let shown = try await host.deliver(payload)
    #expect(shown.title == "T!")
    #expect(shown.body == "B!")
    #expect(shown.content.badge == 1)
    #expect(shown.source == .serviceExtension)
  }

  @Test("a host whose clock is never moved keeps no push that is over")
  func memory() async throws {
    // An extension that keeps nothing either.
    let host = ExtensionHost(clock: clock) { UNNotificationServiceExtension() }
    weak var first: HostedPush?
    do {
      let push = try host.push(payload)
      first = push
      _ = try await push.shown()
    }
    _ = try await host.deliver(payload)
    try await HangGuard.wait(for: "the end of the first push") { first == nil }
  }

  @Test("a request's identifier is the collapse id")
  func identifier() async throws {
    let host = host { service, content in
      let changed = UNMutableNotificationContent()
      changed.body = service.identifier
      service.handler?(changed)
    }
    #expect(try await host.push(payload, collapseID: "c").shown().body == "c")
  }

  #if !canImport(Darwin)
    @Test("a request's trigger is that of a remote notification")
    func trigger() async throws {
      let host = host { service, content in
        guard service.trigger is UNPushNotificationTrigger else { return }
        service.handler?(content)
      }
      let push = try host.push(payload)
      host.advance(by: ExtensionHost.timeLimit)
      #expect(push.faults.isEmpty)
      #expect(try await push.shown().source == .serviceExtension)
    }
  #endif

  @Test(
    "an extension does not run, and the original shows",
    arguments: [
      (#"{"aps":{"alert":"B"}}"#, NotRunReason.noMutableContent),
      (#"{"aps":{"alert":"B","mutable-content":"1"}}"#, .noMutableContent),
      (#"{"aps":{"alert":"B","mutable_content":1}}"#, .noMutableContent),
      (#"{"aps":{"sound":"default","badge":1,"mutable-content":1}}"#, .noAlert),
      (#"{"aps":{"content-available":1}}"#, .noMutableContent),
    ])
  func notRun(payload: String, reason: NotRunReason) async throws {
    let host = host { _, _ in Issue.record("it ran") }
    let shown = try await host.deliver(Array(payload.utf8))
    #expect(shown.source == .original(.notRun(reason)))
    #expect(shown.body == (payload.contains("alert") ? "B" : ""))
  }

  @Test("an extension does not run for a person who has turned alerts off")
  func alertsOff() async throws {
    var phone = Phone()
    phone.alertsAreOn = false
    let shown = try await host(phone) { _, _ in Issue.record("it ran") }.deliver(payload)
    #expect(shown.source == .original(.notRun(.alertsOff)))
  }

  @Test(
    "APNs takes no payload that is too long, no JSON, or without aps",
    arguments: [
      (String(repeating: "x", count: 4097), PushRefusal.tooLarge(bytes: 4097)), (#"{"a":1}"#, .noAPS),
      (#"{"aps":1}"#, .noAPS),
    ])
  func refused(payload: String, refusal: PushRefusal) async throws {
    let host = host { _, _ in }
    await #expect(throws: refusal) { try await host.deliver(Array(payload.utf8)) }
  }

  @Test("an extension that hands nothing over is told at 30 seconds, and the original shows")
  func never() async throws {
    let host = host { _, _ in }
    let push = try host.push(payload)
    host.advance(by: .seconds(29))
    #expect(push.faults.isEmpty)
    host.advance(by: .seconds(1))
    let shown = try await push.shown()
    #expect(shown.source == .original(.outOfTime))
    #expect(shown.body == "B")
    #expect(push.faults == [.neverCalled])
  }

  @Test("what is handed over when time is up is seen")
  func atExpiry() async throws {
    let host = host { service, content in
      service.onExpiry = { service.handler?(content) }
    }
    let push = try host.push(payload)
    host.advance(by: ExtensionHost.timeLimit)
    #expect(try await push.shown().source == .serviceExtension)
    #expect(push.faults.isEmpty)
  }

  @Test("a handler that is called twice")
  func twice() async throws {
    let host = host { service, content in
      service.handler?(content)
      service.handler?(content)
    }
    let push = try host.push(payload)
    #expect(push.faults == [.calledTwice])
  }

  @Test("a handler that is called from two threads")
  func twoThreads() async throws {
    let host = host { service, content in
      service.handler?(content)
      service.onAnotherThread { service.handler?(content) }
    }
    let push = try host.push(payload)
    #expect(push.faults == [.calledFromTwoThreads])
  }

  @Test("a handler that is called when the original is shown already")
  func late() async throws {
    let services = Kept()
    let host = host { service, _ in services.keep(service) }
    let push = try host.push(payload)
    host.advance(by: .seconds(30))
    services.all.first?.handler?(UNNotificationContent())
    #expect(try await push.shown().body == "B")
    #expect(push.faults == [.neverCalled, .calledLate])
  }

  @Test("a test that is cancelled throws, and blames nobody")
  func cancelled() async throws {
    let services = Kept()
    let host = host { service, _ in services.keep(service) }
    let push = try host.push(payload)
    let waiting = Task { try await push.shown() }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    #expect(push.faults.isEmpty)
    let content = UNMutableNotificationContent()
    content.body = "in time"
    services.all.first?.handler?(content)
    #expect(try await push.shown().body == "in time")
    #expect(push.faults.isEmpty)
  }

  @Test("what was handed over before a test is cancelled is no fault")
  func cancelledAfterwards() async throws {
    let host = host { service, content in service.handler?(content) }
    let push = try host.push(payload)
    let reading = Task {
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      return try await push.shown()
    }
    #expect(try await reading.value.source == .serviceExtension)
    #expect(push.faults.isEmpty)
  }

  @Test("an empty content hides nothing without the entitlement, and everything with it")
  func filtering() async throws {
    let empty: @Sendable (TestExtension, UNNotificationContent) -> Void = { service, _ in
      service.handler?(UNNotificationContent())
    }
    let shown = try await host(Phone(), empty).deliver(payload)
    #expect(shown.source == .original(.mayNotFilter))
    #expect(shown.body == "B")
    var phone = Phone()
    phone.mayFilter = true
    #expect(try await host(phone, empty).deliver(payload).isVisible == false)
  }

  @Test("one instance for all pushes, or one each", arguments: [(true, 1), (false, 2)])
  func instances(isReused: Bool, count: Int) async throws {
    var phone = Phone()
    phone.reusesInstance = isReused
    let services = Kept()
    let host = host(phone) { service, content in
      services.keep(service)
      service.handler?(content)
    }
    _ = try await host.deliver(payload)
    _ = try await host.deliver(payload)
    #expect(Set(services.all.map(ObjectIdentifier.init)).count == count)
  }

  #if !canImport(Darwin)
    @Test("keys of the visible payload, and those that the extension names, show the app's texts")
    func localized() async throws {
      var phone = Phone()
      phone.strings = try StringTable(strings: Array(#""HELLO" = "Hello %@"; "BYE" = "Bye";"#.utf8).span)
      let host = host(phone) { service, content in
        let changed = UNMutableNotificationContent()
        changed.title = content.body
        changed.body = NSString.localizedUserNotificationString(forKey: "BYE", arguments: nil)
        changed.subtitle = NSString.localizedUserNotificationString(forKey: "MISSING", arguments: nil)
        service.handler?(changed)
      }
      let payload = #"{"aps":{"alert":{"loc-key":"HELLO","loc-args":["Ada"]},"mutable-content":1}}"#
      let shown = try await host.deliver(Array(payload.utf8))
      #expect([shown.title, shown.subtitle, shown.body] == ["Hello Ada", "MISSING", "Bye"])
    }

    @Test("a key without a text shows itself, with its arguments")
    func localizedKeyAlone() async throws {
      let host = host { service, content in
        let changed = UNMutableNotificationContent()
        changed.title = content.body
        changed.body = NSString.localizedUserNotificationString(forKey: "%@ calls", arguments: ["Grace"])
        service.handler?(changed)
      }
      let payload = #"{"aps":{"alert":{"loc-key":"%@ says hi","loc-args":["Ada"]},"mutable-content":1}}"#
      let shown = try await host.deliver(Array(payload.utf8))
      #expect([shown.title, shown.body] == ["Ada says hi", "Grace calls"])
    }
  #endif

  @Test("a launch image, a Focus filter and the badge are those of the content that is shown")
  func otherValues() async throws {
    let host = host { service, content in service.handler?(content) }
    let payload = #"""
      {"aps":{"alert":{"body":"B","launch-image":"L"},"filter-criteria":"F","badge":2,"sound":"default",\#
      "mutable-content":1}}
      """#
    let shown = try await host.deliver(Array(payload.utf8))
    #if !os(macOS)
      #expect(shown.launchImageName == "L")
    #endif
    #expect(shown.filterCriteria == "F")
    #expect(shown.badge == 2)
    #expect(shown.sound == .default)
    #expect(shown.attachments.isEmpty)
  }
}
