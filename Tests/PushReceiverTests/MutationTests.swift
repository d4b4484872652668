import PushCore
import PushReceiver
import PushTesting
import Testing

/// Hostile content from someone who has the device's public key never traps, and never shows nothing.
struct MutationTests {
  private static let content = Array(
    (#"{"aps":{"alert":{"title":"Grüße 👋","subtitle":"s","body":"a\"b\\c\u00e9\ud83d\ude00"},"badge":3,"#
      + #""sound":{"critical":1,"name":"x","volume":0.5},"interruption-level":"critical","relevance-score":0.5},"#
      + #""n":[0,-0,1.5,-2.5e+10,12345678901234567890,1e400],"b":[true,null],"sealed-push":{"v":1}}"#).utf8)

  private func mutated(_ generator: inout SeededGenerator) -> [UInt8] {
    var bytes = Self.content
    for _ in 0..<Int.random(in: 1...4, using: &generator) {
      let index = Int.random(in: bytes.indices, using: &generator)
      switch Int.random(in: 0..<5, using: &generator) {
      case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      case 1: bytes[index] = UInt8.random(in: 0...255, using: &generator)
      case 2: bytes.remove(at: index)
      case 3: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: index)
      default:
        let end = min(bytes.count, index + Int.random(in: 1...20, using: &generator))
        bytes.insert(contentsOf: bytes[index..<end], at: Int.random(in: bytes.indices, using: &generator))
      }
    }
    return bytes
  }

  @Test("mutations of a content are opened or malformed", arguments: 0..<5 as Range<UInt64>)
  func mutations(seed: UInt64) throws {
    let parties = Parties()
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(anonymous: true))
    var generator = SeededGenerator(seed: seed)
    var counts = (opened: 0, malformed: 0)
    for _ in 0..<100 {
      let claims = Claims(messageID: .random(), issuedAt: Parties.now, lifetime: .zero)
      let content = SealedContent(type: .notification, claims: claims, content: mutated(&generator))
      let push = try parties.push(plaintext: content.encoded(paddedTo: content.minimumSize))
      let reception = receiver.reception(of: push)
      switch reception.outcome {
      case .opened:
        counts.opened += 1
        #expect(!reception.content.title.isEmpty || !reception.content.body.isEmpty)
        #expect(reception.content.interruptionLevel != .critical)
        let json = reception.content.json.encoded()
        #expect(throws: Never.self) { try JSONObject(parsing: json.span) }
      case .openedOther: Issue.record("no format of another system is accepted")
      case .degraded(let reason):
        counts.malformed += 1
        #expect(reason == .malformedContent)
        #expect(reception.content == .bestAttempt(push.text))
      }
    }
    #expect(counts.opened > 5)
    #expect(counts.malformed > 20)
  }
}
