import Foundation
import PushCore
import PushKeys
import PushReceiver
import PushSealer
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Payloads for which the extension never runs, and envelopes that a backend spoilt.
@Suite(.hangGuard)
struct PayloadPitfalls {
  private let stage = Stage()

  /// A way to send a sealed payload so that iOS does not run the extension.
  enum Mistake: CaseIterable {
    case missing, misspelt, string, boolean, soundOnly, badgeOnly, emptyAlert, alertsOff

    var reason: NotRunReason {
      switch self {
      case .missing, .misspelt, .string, .boolean: .noMutableContent
      case .soundOnly, .badgeOnly, .emptyAlert: .noAlert
      case .alertsOff: .alertsOff
      }
    }

    func spoil(_ aps: inout JSONObject) {
      switch self {
      case .missing: aps["mutable-content"] = nil
      case .misspelt:
        aps["mutable-content"] = nil
        aps["mutable_content"] = 1
      case .string: aps["mutable-content"] = "1"
      case .boolean: aps["mutable-content"] = true
      case .soundOnly: aps["alert"] = nil
      case .badgeOnly: aps = ["badge": 1, "mutable-content": 1]
      case .emptyAlert: aps["alert"] = ["title": "", "body": ""]
      case .alertsOff: break
      }
    }
  }

  @Test(
    "if the extension never runs, the host says why, and the log's last time lets the app notice",
    arguments: Mistake.allCases)
  func neverRuns(_ mistake: Mistake) async throws {
    _ = try await stage.host(stage.receiver()).deliver(stage.sealed())
    let before = try stage.log.read()
    #expect(before.lastOpened?.time == Stage.start)

    stage.advance(days: 1)
    var payload = try json(stage.sealed())
    var aps = try #require(payload["aps"]?.object)
    mistake.spoil(&aps)
    payload["aps"] = .object(aps)
    var phone = Phone()
    phone.alertsAreOn = mistake != .alertsOff
    let push = try stage.host(stage.receiver(), phone: phone).push(payload.encoded())
    let shown = try await push.shown()
    #expect(shown.source == .original(.notRun(mistake.reason)))
    #expect(push.faults.isEmpty)
    #expect(try stage.log.read() == before)
  }

  /// What a backend can do to an envelope on its way into the payload.
  enum Accident: CaseIterable {
    case wrapped, crlf, plusAsSpace, standardAlphabet, padded, percentEncoded, cut

    /// What the library calls it.
    var name: Base64URLError.Reason {
      switch self {
      case .wrapped, .crlf, .plusAsSpace: .whitespace
      case .standardAlphabet: .standardAlphabet
      case .padded: .padding
      case .percentEncoded: .foreignCharacter
      case .cut: .impossibleLength
      }
    }

    func spoil(_ text: String, bytes: [UInt8]) -> String {
      switch self {
      case .wrapped: lines(of: text)
      case .crlf: text + "\r\n"
      case .plusAsSpace: text.replacing("-", with: " ")
      case .standardAlphabet: Data(bytes).base64EncodedString()
      case .padded: text + String(repeating: "=", count: (4 - text.count % 4) % 4)
      case .percentEncoded: text.replacing("-", with: "%2B").replacing("_", with: "%2F")
      case .cut: String(text.prefix(text.count / 4 * 4 - 3))
      }
    }

    private func lines(of text: String) -> String {
      stride(from: 0, to: text.count, by: 76).map { text.dropFirst($0).prefix(76) + "\n" }.joined()
    }
  }

  @Test(
    "an envelope that was spoilt on its way is refused, and the library names the accident",
    arguments: Accident.allCases)
  func encodingAccident(_ accident: Accident) async throws {
    let text = try envelope(in: stage.sealed(String(repeating: "long ", count: 100)))
    let spoilt = accident.spoil(text, bytes: try Base64URL.decode(text))
    #expect(spoilt != text)
    try await stage.host(stage.receiver()).deliver(stage.payload(carrying: spoilt), admitsPlaceholder: true)
      .expectPlaceholder()
    #expect(stage.reasons == [.malformedEnvelope])
    #expect(fault(of: spoilt)?.reason == accident.name)
  }

  /// What the library says of a text; null if it is base64url.
  private func fault(of text: String) -> Base64URLError? {
    do throws(EnvelopeError) {
      _ = try Envelope(decoding: text)
    } catch .notBase64URL(let fault) {
      return fault
    } catch {}
    return nil
  }

  @Test("an envelope in hexadecimal digits, which base64url has too, is none of a known version")
  func hexadecimal() async throws {
    let bytes = try Envelope(decoding: envelope(in: stage.sealed())).encoded()
    let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    try await stage.host(stage.receiver()).deliver(stage.payload(carrying: text), admitsPlaceholder: true)
      .expectPlaceholder()
    #expect(stage.reasons == [.unsupportedVersion])
    #expect(throws: EnvelopeError.unsupportedVersion(211)) { try Envelope(decoding: text) }
  }

  @Test("a placeholder by its key shows the app's text, and the raw key if the app has none")
  func placeholderByKey() async throws {
    let aps: JSONObject = ["alert": ["loc-key": "NEW_MESSAGE"]]
    let payload: JSONObject = [
      "aps": .object(aps), "ENCRYPTED_DATA": .string(try envelope(in: stage.sealed())),
    ]
    let raw = try await stage.host(stage.receiver()).deliver(payload.encoded())
    #expect(raw.body == "NEW_MESSAGE")
    var phone = Phone()
    phone.strings = try StringTable(strings: Array(#""NEW_MESSAGE" = "New message";"#.utf8).span)
    let shown = try await stage.host(stage.receiver(), phone: phone).deliver(payload.encoded())
    #expect(shown.body == "New message")
  }

  @Test(
    "what our sealer makes is worked on once: never content-available beside mutable-content",
    arguments: PushType.allCases.filter { $0 != .liveActivity })
  func workedOnOnce(_ type: PushType) throws {
    var notification = RemoteNotification(title: "Ada", body: Stage.secret)
    notification.otherAPS = ["content-available": 1, "mutable-content": 1]
    let sealer = Sealer(
      topic: Stage.topic, signingKey: try stage.backend.signingKey(), policy: SealingPolicy(pushType: type))
    let push = try sealer.seal(notification, to: stage.device.publicKeys.recipient(), at: Stage.start)
    let aps = try #require(try JSONObject(parsing: push.payload.span)["aps"]?.object)
    #expect(aps["content-available"] == nil || aps["mutable-content"] == nil)
  }

  @Test("a call's push does not reach the extension, and would not open there")
  func callsDoNotReachIt() async throws {
    let sealer = Sealer(
      topic: Stage.topic, signingKey: try stage.backend.signingKey(), policy: SealingPolicy(pushType: .voip))
    let call = try sealer.seal(
      RemoteNotification(body: Stage.secret), to: try stage.device.publicKeys.recipient(), at: Stage.start)
    let host = stage.host(stage.receiver())
    let shown = try await host.deliver(call.payload)
    #expect(shown.source == .original(.notRun(.noMutableContent)))
    let text = try envelope(in: call.payload)
    try await host.deliver(stage.payload(carrying: text), admitsPlaceholder: true).expectPlaceholder()
    #expect(stage.reasons == [.malformedContent])
  }
}
