import Foundation
import SealedPush
import PushCore
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Sealed keys show the app's texts.
@Suite(.hangGuard)
struct LocalizedTests {
  private let phone = Phone()

  private func shown(_ alert: JSONObject) async throws -> ShownNotification {
    let table = #""INVITED" = "%2$@ and %1$@ have invited you"; "WHO" = "%@ (100%%)"; "EMPTY" = "";"#
    var receiver = phone.receiver()
    receiver.strings = try StringTable(strings: Array(table.utf8).span)
    let host = ExtensionHost(clock: phone.clock) { [receiver] in TestService { _ in receiver } }
    return try await host.deliver(phone.sealed(payload: ["aps": ["alert": .object(alert)]]))
  }

  @Test("title, subtitle and body, with their arguments")
  func everyPart() async throws {
    let shown = try await shown([
      "title-loc-key": "WHO", "title-loc-args": ["Ada"], "subtitle-loc-key": "WHO",
      "subtitle-loc-args": ["Grace"], "loc-key": "INVITED", "loc-args": ["Jenna", "Frank"],
    ])
    #expect(shown.title == "Ada (100%)")
    #expect(shown.subtitle == "Grace (100%)")
    #expect(shown.body == "Frank and Jenna have invited you")
  }

  @Test("a key that the app does not have shows itself, with its arguments")
  func missing() async throws {
    #expect(try await shown(["loc-key": "UNKNOWN", "loc-args": ["x"]]).body == "UNKNOWN")
    #expect(try await shown(["loc-key": "%@ says hi", "loc-args": ["Ada"]]).body == "Ada says hi")
  }

  @Test("a literal text stands before its key")
  func literal() async throws {
    #expect(try await shown(["body": "Hi", "loc-key": "INVITED"]).body == "Hi")
  }

  @Test("an empty text for the only key does not leave the notification empty")
  func empty() async throws {
    #expect(try await shown(["loc-key": "EMPTY"]).body == "EMPTY")
  }
}
