import PushCore
import SealedPush
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing
import UserNotifications

/// Whatever comes, the extension neither crashes nor lies.
@Suite(.hangGuard)
struct HostilePitfalls {
  private let stage = Stage()

  /// A phone that keeps no account, for many pushes.
  private var host: ExtensionHost {
    var receiver = stage.receiver()
    receiver.observers = []
    return stage.host(receiver)
  }

  /// Delivers a payload, and says whether its text was shown; null if the extension did not run.
  private func opens(_ payload: [UInt8], on host: ExtensionHost) async throws -> Bool? {
    guard let push = try? host.push(payload) else { return nil }
    let shown = try await push.shown(admitsPlaceholder: true)
    #expect(push.faults.isEmpty)
    guard shown.source == .serviceExtension else {
      if case .original(.notRun) = shown.source { return nil }
      Issue.record("the original is shown")
      return nil
    }
    #expect(shown.isVisible)
    #expect([Stage.secret, "(Encrypted)"].contains(shown.body))
    if shown.body == Stage.secret { #expect(shown.title == Stage.title) }
    return shown.body == Stage.secret
  }

  @Test("whatever happens to a payload on the way, something is shown, and never a wrong text")
  func damagedPayloads() async throws {
    var generator = SeededGenerator(seed: 13)
    let (host, payload) = (host, try stage.sealed())
    var runs = 0
    for _ in 0..<600 {
      let opened = try await opens(payload.damaged(using: &generator), on: host)
      if opened != nil { runs += 1 }
    }
    #expect(runs > 200)
  }

  @Test("an envelope of which a byte is another does not open")
  func damagedEnvelopes() async throws {
    var generator = SeededGenerator(seed: 14)
    let host = host
    let bytes = try Envelope(decoding: envelope(in: stage.sealed())).encoded()
    for _ in 0..<400 {
      let damaged = bytes.damaged(using: &generator)
      guard damaged != bytes else { continue }
      let payload = stage.payload(carrying: Base64URL.encode(damaged.span))
      let isOpened = try await opens(payload, on: host)
      #expect(isOpened == false)
    }
  }

  @Test("what was sealed to the device by somebody who does not keep to the format does not open")
  func damagedPlaintexts() async throws {
    var generator = SeededGenerator(seed: 15)
    let host = host
    let content: JSONObject = [
      "aps": ["alert": ["title": .string(Stage.title), "body": .string(Stage.secret)]]
    ]
    let plaintext = try stage.plaintext(content)
    let isOpened = try await opens(try stage.sealed(plaintext: plaintext), on: host)
    #expect(isOpened == true)
    for _ in 0..<400 {
      let damaged = plaintext.damaged(using: &generator)
      // Zeros at the end are padding, of which any number is right.
      guard damaged.withoutZeros != plaintext.withoutZeros else { continue }
      let isOpened = try await opens(try stage.sealed(plaintext: damaged), on: host)
      #expect(isOpened == false)
    }
  }

  @Test("padding that is wrong in every way is refused and does not crash")
  func badPadding() async throws {
    let host = stage.host(stage.receiver())
    let unpadded = try stage.plaintext(["aps": ["alert": ["body": .string(Stage.secret)]]]).withoutZeros
      .dropLast()
    let endings: [[UInt8]] = [
      [], [0], [0, 0], [0x81], [0x80, 1], [0xff, 0xff], [UInt8](repeating: 0, count: 2000),
    ]
    for ending in endings {
      let isOpened = try await opens(try stage.sealed(plaintext: unpadded + ending), on: host)
      #expect(isOpened == false)
    }
    for plaintext in [[], [0x80], [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0x80, count: 256)] {
      let isOpened = try await opens(try stage.sealed(plaintext: plaintext), on: host)
      #expect(isOpened == false)
    }
    #expect(stage.reasons == Array(repeating: .malformedContent, count: 11))
  }

  @Test(
    "an envelope's place that holds something else shows the placeholder",
    arguments: [.null, 42, true, "", [], [:], ["v": 1], .string("\0"), .string("🂡")] as [JSONValue])
  func noText(_ value: JSONValue) async throws {
    var payload = try json(stage.sealed())
    payload["ENCRYPTED_DATA"] = value
    let isOpened = try await opens(payload.encoded(), on: host)
    #expect(isOpened == false)
  }
}

extension [UInt8] {
  fileprivate var withoutZeros: [UInt8] { Array(self[..<(lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0)]) }
}
