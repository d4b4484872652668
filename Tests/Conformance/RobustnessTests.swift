import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// What is left of a vector after an accident, or an attack, never opens and shows nothing but the placeholder.
@Suite struct RobustnessTests {
  private let folder = VectorFolder()

  /// The vectors whose fault stands behind a good envelope.
  private static let extended: Set<String> = [
    "field-8193", "text-padding", "text-space", "text-nul", "x25519-chachapoly-appended",
    "x25519-chachapoly-doubled", "p256-aesgcm-appended", "p256-aesgcm-doubled",
    "shared-chachapoly-appended", "shared-chachapoly-doubled", "xwing-aesgcm-appended",
    "xwing-aesgcm-doubled",
  ]

  /// The lengths to which a text is cut: those near its ends, and some between.
  ///
  /// Where volume counts, all are tried. Every 53rd comes past each place in a group of four characters, and so does every
  /// 101st. That is enough for the longer envelopes of X-Wing, which begin with 1,494 characters of one field.
  private static func lengths(of text: String, isXWing: Bool) -> [Int] {
    let count = text.utf8.count
    if Volume.isWhole { return Array(0..<count) }
    return (0..<count).filter { $0 < 12 || $0 >= count - 12 || $0.isMultiple(of: isXWing ? 101 : 53) }
  }

  @Test(arguments: [
    ("opened.json", "vectors"), ("degraded.json", "vectors"), ("shared.json", "opened"),
    ("shared.json", "degraded"), ("xwing.json", "opened"), ("xwing.json", "degraded"),
  ])
  func prefixesOfEveryVectorDegrade(_ file: String, _ list: String) async throws {
    let isXWing = file == "xwing.json"
    let receiver = try isXWing ? folder.receiver(of: file) : folder.sharedReceiver()
    var count = 0
    for vector in try folder.read(file, list) {
      let payload = try folder.object(vector["payload"])
      guard case .string(let text)? = payload["ENCRYPTED_DATA"] else { continue }
      let id = try #require(vector["id"]?.string)
      let setting = try setting(of: vector)
      for length in Self.lengths(of: text, isXWing: isXWing) {
        var cut = payload
        cut["ENCRYPTED_DATA"] = .string(String(decoding: Array(text.utf8).prefix(length), as: UTF8.self))
        let reception = try await receiver.reception(of: cut, setting)
        // A fault that was added at the end of a good message leaves that message when it is cut off.
        let isHarmless =
          isPlaceholder(reception) || (Self.extended.contains(id) && isTheGoodMessage(reception))
        if !isHarmless { Issue.record("\(id), \(length) characters: \(reception)") }
        count += 1
      }
    }
    #expect(count > (Volume.isWhole ? 10_000 : 1_000))
  }

  @Test(arguments: [
    "x25519-chachapoly-signed-none", "x25519-chachapoly-anonymous-none", "p256-aesgcm-signed-none",
    "p256-aesgcm-anonymous-none", "shared-chachapoly-signed-none", "shared-chachapoly-anonymous-none",
  ])
  func everyFlippedBitDegrades(_ id: String) async throws {
    try await expectFlipsDegrade(
      id, try folder.read("opened.json") + folder.read("shared.json", "opened"), try folder.sharedReceiver())
  }

  @Test(.enabled(if: Suite.xwingAESGCM.isAvailable, XWingVectorTests.lacking))
  func everyFlippedBitOfXWingDegrades() async throws {
    try await expectFlipsDegrade(
      "xwing-aesgcm-signed-none", try folder.read("xwing.json", "opened"),
      try folder.receiver(of: "xwing.json"))
  }

  private func expectFlipsDegrade(
    _ id: String, _ vectors: [JSONObject], _ receiver: VectorReceiver
  ) async throws {
    let vector = try #require(vectors.first { $0["id"]?.string == id })
    let payload = try folder.object(vector["payload"])
    let setting = try setting(of: vector)
    let text = try #require(payload["ENCRYPTED_DATA"]?.string)
    let bytes = try Base64URL.decode(text)
    for bit in 0..<8 * bytes.count {
      var flipped = bytes
      flipped[bit / 8] ^= 1 << (bit % 8)
      var changed = payload
      changed["ENCRYPTED_DATA"] = .string(Base64URL.encode(flipped.span))
      let reception = try await receiver.reception(of: changed, setting)
      let isDegraded = isPlaceholder(reception)
      if !isDegraded { Issue.record("bit \(bit): \(reception)") }
    }
    // The vector itself opens, so it is the flips that do not.
    let whole = try await receiver.reception(of: payload, setting)
    #expect(whole.content.body == "Lunch at noon?")
  }

  private func setting(of vector: JSONObject) throws -> Setting {
    var setting = Setting()
    setting.now = try folder.time(vector["now"])
    setting.suites = Suite.allCases
    setting.topic = vector["topic"]?.string ?? Forge.topic
    return setting
  }

  private func isTheGoodMessage(_ reception: Reception) -> Bool {
    reception.content.title == "Ada" && reception.content.body == "Lunch at noon?"
  }

  private func isPlaceholder(_ reception: Reception) -> Bool {
    guard case .degraded = reception.outcome else { return false }
    return reception.content.body == "(Encrypted)"
      && Set(reception.content.userInfo.keys).isSubset(of: ["ENCRYPTED_DATA"])
  }
}
