import Foundation
import PushCompat
import PushCrypto
import PushCore
import SealedPush
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Envelopes of other systems in the service extension.
@Suite(.hangGuard)
struct OtherFormatTests {
  private static let password = "correct horse"
  private static let salted = "U2FsdGVkX18BAgMEBQYHCP4gQNgG45IRi9CrqIvK9lf0wr5WYUoCJoAOMHMfoMPZ"
  private static let zulip =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXtUSv0EUCeqgzhCYkvppL/SXdTDa3r4Aqmx77Wxv7aLtyhzS67UlSsHnDCvF3/YHD0fnZ9WfCkGPV4L/sCAqJ"
    + "eQNjAOuH5691kzBVk38Z9pis7Jo7KTbrmX2f5PPwU7m1w+fnzKUmHMi1GLx/UV6V8eg+Jrx/s2IV"
  private static let homeAssistant =
    "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXjEqAoRVL3DAX8+VbBDHCHlrP663q8JeFxHoSMUPNwvdxJlLVeZ/93bm5MQ=="

  private let phone = Phone()
  private let screen = Screen()

  private func accepted(
    _ format: (any EnvelopeFormat)?, _ reading: PlaintextReading = .alert
  ) throws -> AcceptedEnvelopes {
    let format = try #require(format)
    return AcceptedEnvelopes(
      formats: [AcceptedFormat(format, until: Phone.now.advanced(by: .seconds(3600)), reading: reading)])
  }

  private func openSSL() throws -> AcceptedEnvelopes {
    let password = Array(Self.password.utf8)
    return try accepted(OpenSSLSalted.unauthenticated(password: password.span))
  }

  private func payload(_ members: JSONObject) -> JSONObject {
    var payload: JSONObject = [
      "aps": ["alert": ["title": "New notification", "body": "(Encrypted)"], "mutable-content": 1]
    ]
    for (name, value) in members { payload[name] = value }
    return payload
  }

  private func shown(_ members: JSONObject, _ accepts: AcceptedEnvelopes) async -> UNNotificationContent {
    let service = OtherService(phone.receiver(accepts: accepts))
    return await screen.wait(for: service, .pushed(payload(members)))
  }

  @Test("a string is opened, and nothing visible stays")
  func string() async throws {
    let content = await shown(["ENCRYPTED_DATA": .string(Self.salted)], try openSSL())
    #expect(content.title == "Hi")
    #expect(content.body == "Secret")
    #expect(content.userInfo["ENCRYPTED_DATA"] == nil)
  }

  @Test("the app has the last word, and learns the format")
  func finish() async throws {
    let service = OtherService(phone.receiver(accepts: try openSSL())) { content, format in
      content.body += " by \(format)"
      return content
    }
    let content = await screen.wait(
      for: service, .pushed(payload(["ENCRYPTED_DATA": .string(Self.salted)])))
    #expect(content.body == "Secret by openssl-salted")
  }

  // An iPhone has no XSalsa20-Poly1305.
  #if !os(iOS)
    @Test("a number is read as one", .needsXSalsa20)
    func number() async throws {
      let text = Array("MQABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f".utf8)
      let made = ZulipKey(id: 7, pushKey: text.span)
      let key = try #require(made)
      let reading = PlaintextReading { plaintext, _ in
        (try? JSONObject(parsing: plaintext.span)).flatMap { object in
          object["realm_name"].map { ["aps": ["alert": ["title": $0]]] }
        }
      }
      let content = await shown(
        ["push_key_id": 7, "encrypted_data": .string(Self.zulip)],
        try accepted(Zulip(keys: [key]), reading))
      #expect(content.title == "R")
    }

    @Test(
      "a boolean is read as one, and a number is none", .needsXSalsa20, arguments: [true, 1] as [JSONValue])
    func boolean(_ flag: JSONValue) async throws {
      let secret = Array(String(repeating: "00112233445566778899aabbccddeeff", count: 2).utf8)
      let made = HomeAssistantKey.hexadecimal(secret: secret.span)
      let key = try #require(made)
      let content = await shown(
        ["encrypted": flag, "encrypted_data": .string(Self.homeAssistant)],
        try accepted(HomeAssistant(key: key), HomeAssistant.reading))
      #expect(content.title == (flag == true ? "t" : "New notification"))
      #expect(content.body == (flag == true ? "m" : "(Encrypted)"))
    }
  #endif

  @Test("what a payload has besides is no obstacle, however deep")
  func deep() async throws {
    var value: JSONValue = 1
    for _ in 0..<40 { value = ["x": .array([value, .null, 1.5])] }
    let content = await shown(["ENCRYPTED_DATA": .string(Self.salted), "deep": value], try openSSL())
    #expect(content.body == "Secret")
  }

  /// Objects of Foundation's in a payload, and what a reading finds.
  private static let objects: [(make: @Sendable () -> Any, json: String)] = [
    ({ NSNumber(value: UInt64.max) }, #""18446744073709551615""#),
    ({ NSNumber(value: UInt64(Int64.max) + 1) }, #""9223372036854775808""#),
    ({ NSNumber(value: UInt64(Int64.max)) }, "9223372036854775807"),
    ({ NSNumber(value: Int64.min) }, "-9223372036854775808"), ({ NSNumber(value: UInt64(7)) }, "7"),
    ({ NSNumber(value: UInt8(200)) }, "200"), ({ NSNumber(value: 1e300) }, "1e+300"),
    ({ [NSNumber(value: UInt64.max), NSNull()] }, #"["18446744073709551615"]"#), ({ NSNull() }, "nothing"),
    ({ Data([1]) }, "nothing"), ({ Date(timeIntervalSince1970: 1) }, "nothing"),
  ]

  /// What a reading finds in the place of an object of Foundation's, as JSON.
  private func found(_ make: @Sendable () -> Any) async throws -> String {
    let reading = PlaintextReading { _, payload in
      guard let value = payload["x"] else { return ["aps": ["alert": ["body": "nothing"]]] }
      let object: JSONObject = ["x": value]
      return ["aps": ["alert": ["body": .string(String(decoding: object.encoded(), as: UTF8.self))]]]
    }
    let password = Array(Self.password.utf8)
    let accepts = try accepted(OpenSSLSalted.unauthenticated(password: password.span), reading)
    let request = UNNotificationRequest.pushed(payload(["ENCRYPTED_DATA": .string(Self.salted)])) {
      $0["x"] = make()
    }
    return await screen.wait(for: OtherService(phone.receiver(accepts: accepts)), request).body
  }

  @Test("a reading finds the payload's values, and null for what is none in JSON", arguments: objects.indices)
  func object(_ index: Int) async throws {
    let (make, json) = Self.objects[index]
    #expect(try await found(make) == (json == "nothing" ? json : #"{"x":\#(json)}"#))
  }

  @Test("a reading finds 16 levels of what a payload nests, and nothing below", arguments: [15, 16, 17, 40])
  func levels(count: Int) async throws {
    let json = try await found {
      var object: Any = NSNumber(value: 7)
      for _ in 0..<count { object = [object] }
      return object
    }
    let kept = min(count, 16)
    let (opening, closing) = (String(repeating: "[", count: kept), String(repeating: "]", count: kept))
    #expect(json == #"{"x":\#(opening)\#(count < 16 ? "7" : "")\#(closing)}"#)
  }

  @Test("a receiver that names no format opens none")
  func notNamed() async {
    let content = await shown(["ENCRYPTED_DATA": .string(Self.salted)], .signed)
    #expect(content.title == "New notification")
    #expect(content.body == "(Encrypted)")
  }
}

extension Trait where Self == ConditionTrait {
  /// For what a secret box holds.
  fileprivate static var needsXSalsa20: Self {
    .enabled(if: XSalsa20Poly1305.isAvailable, "CryptoKit has no XSalsa20")
  }
}

/// An extension whose app has a word about other systems' messages.
private final class OtherService: SealedNotificationService {
  private let receiver: Receiver
  private let finish: (UNMutableNotificationContent, String) -> UNNotificationContent

  init(
    _ receiver: Receiver,
    finish: @escaping (UNMutableNotificationContent, String) -> UNNotificationContent = { content, _ in
      content
    }
  ) {
    self.receiver = receiver
    self.finish = finish
  }

  override func makeReceiver() -> Receiver { receiver }

  override func finish(
    _ content: UNMutableNotificationContent, openedFrom format: String
  ) async -> UNNotificationContent {
    finish(content, format)
  }
}
