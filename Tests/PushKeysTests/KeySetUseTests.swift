import PushCrypto
import PushCore
import PushKeys
import Testing

@Suite("Using a private set")
struct KeySetUseTests {
  @Test(arguments: [Kind.x25519, .p256]) func opensWhatWasSealedToIt(kind: Kind) throws {
    let set = try parse(text(kind.makeSet()))
    let recipient = try set.publicKeys.recipient()
    let key = try #require(set.deviceKey(for: recipient.thumbprint.keyID, at: start))
    #expect(try key.opens(to: recipient))
  }

  @Test func signsWhatItsPublicKeyVerifies() throws {
    let set = try parse(text(Kind.sender.makeSet()))
    let message: [UInt8] = [1, 2, 3]
    let signature = try set.signingKey().sign(message.span)
    let key = try #require(try set.publicKeys.records[0].publicKey)
    let isValid = Ed25519.isValid(signature.span, on: message.span, publicKey: key.bytes.span)
    #expect(isValid)
  }

  @Test func signsWithTheActiveKey() throws {
    var editor = KeySetEditor(Kind.sender.makeWholeSet())
    try editor.rotate(again: true, at: start)
    #expect(try editor.keySet.signingKey().publicKey == editor.keySet.records[1].publicKey)
  }

  @Test func doesNotSignBeforeItsFirstSecond() throws {
    let set = try parse(text(Kind.sender.makeSet()).setting("iat", to: #"1,"nbf":5,"exp":9"#))
    #expect(throws: KeySetError.keyNotBegun) { try set.signingKey(at: moment(4)) }
    for seconds in [5, 9] as [Int64] {
      #expect(try set.signingKey(at: moment(seconds)).publicKey == set.records[0].publicKey)
    }
  }

  @Test func doesNotSignAfterItsLastSecond() throws {
    let set = try parse(text(Kind.sender.makeSet()).setting("iat", to: #"1,"nbf":5,"exp":9"#))
    #expect(throws: KeySetError.keyEnded) { try set.signingKey(at: moment(10)) }
  }

  @Test func doesNotSignForADevice() {
    #expect(throws: KeySetError.wrongRole) { try Kind.x25519.makeSet().signingKey() }
  }

  @Test func doesNotOpenForASender() {
    let set = Kind.sender.makeSet()
    #expect(set.deviceKey(for: set.records[0].id.keyID, at: start) == nil)
  }

  @Test func doesNotKnowAnotherName() {
    let other = Kind.x25519.makeSet(seed: 9).records[0].id.keyID
    #expect(Kind.x25519.makeSet().deviceKey(for: other, at: start) == nil)
  }

  @Test func opensUntilTheLastSecond() throws {
    var editor = KeySetEditor(Kind.x25519.makeSet())
    try editor.rotate(at: start)
    let old = editor.keySet.records[0].id.keyID
    let end = start.advanced(by: .seconds(month))
    #expect(editor.keySet.deviceKey(for: old, at: end) != nil)
    #expect(editor.keySet.deviceKey(for: old, at: end.advanced(by: .seconds(1))) == nil)
  }

  @Test func writesTheSameAfterUse() throws {
    let set = Kind.x25519.makeSet()
    let before = text(set)
    _ = set.deviceKey(for: set.records[0].id.keyID, at: start)
    #expect(text(set) == before)
  }

  @Test func isUsedByManyThreadsAtOnce() throws {
    let set = Kind.x25519.makeSet()
    let recipient = try set.publicKeys.recipient()
    let id = recipient.thumbprint.keyID
    let threads = (0..<8).map { _ in
      WorkerThread {
        for _ in 0..<50 {
          guard let key = set.deviceKey(for: id, at: start), (try? key.opens(to: recipient)) == true,
            text(set).contains(id.text.dropLast())
          else { return false }
        }
        return true
      }
    }
    #expect(threads.allSatisfy { $0.result() })
  }
}

extension DeviceKey {
  /// Whether the set opens a message that is sealed to a recipient.
  func opens(to recipient: Recipient) throws -> Bool {
    let topic = try Topic("com.example.app")
    let message: [UInt8] = [1, 2, 3]
    let envelope = try recipient.seal(message.span, for: topic, random: SystemRandom())
    let opened = try open(envelope, for: topic)
    return [UInt8](copying: opened.exposedBytes) == message
  }
}
