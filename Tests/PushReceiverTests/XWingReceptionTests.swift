import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport
import Testing

/// Envelopes of X-Wing where the system's libraries do not have the suite.
@Suite("Receiving X-Wing without ML-KEM", .lacksMLKEM) struct UnavailableReceptionTests {
  private let parties = Parties()

  /// An envelope of the suite, as long as a real one.
  private func envelope(keyID: KeyID) throws -> Envelope {
    try Envelope(
      suite: .xwingAESGCM, keyID: keyID, encapsulatedKey: [UInt8](repeating: 7, count: 1120),
      ciphertext: [UInt8](repeating: 9, count: 272))
  }

  @Test func isUnsupportedAndNotAnUnknownKey() throws {
    for keyID in [try parties.recipient.thumbprint.keyID, try Parties().recipient.thumbprint.keyID] {
      let push = IncomingPush.carrying(try envelope(keyID: keyID).text)
      #expect(throws: DegradeReason.unsupportedSuite) { try parties.receiver().open(push) }
    }
  }

  /// FORMAT.md, [2.7]: before the receiver's own choice of suites.
  @Test func isUnsupportedWhateverIsAccepted() throws {
    let push = IncomingPush.carrying(try envelope(keyID: parties.recipient.thumbprint.keyID).text)
    let receiver = parties.receiver(accepts: AcceptedEnvelopes(suites: [.x25519ChaChaPoly]))
    #expect(throws: DegradeReason.unsupportedSuite) { try receiver.open(push) }
  }

  @Test func everyPrefixIsMalformed() throws {
    let bytes = try envelope(keyID: parties.recipient.thumbprint.keyID).encoded()
    for count in 2..<(2 + 8 + 1120 + 16) {
      let push = IncomingPush.carrying(base64URL(Array(bytes.prefix(count))))
      #expect(throws: DegradeReason.malformedEnvelope) { try parties.receiver().open(push) }
    }
  }
}

/// Envelopes of X-Wing where the system's libraries have the suite.
///
/// What holds of every suite is in the other tests.
@Suite("Receiving X-Wing with ML-KEM", .needsMLKEM) struct XWingReceptionTests {
  private let parties: Parties
  private let mlkemEnd = 2 + 8 + 1088

  init() { parties = Parties(Suite.xwingAESGCM.isAvailable ? .xwingAESGCM : .x25519ChaChaPoly) }

  @Test func saysItsSuite() throws {
    #expect(try parties.receiver().open(parties.push()).opened.suite == .xwingAESGCM)
    let others = Parties()
    #expect(try others.receiver().open(others.push()).opened.suite == .x25519ChaChaPoly)
  }

  /// Implicit rejection: ML-KEM gives another secret, so that only the cipher notices.
  @Test func anAlteredMLKEMCiphertextIsNotAuthentic() throws {
    var bytes = try parties.envelope().encoded()
    bytes[mlkemEnd - 1] ^= 1
    let push = IncomingPush.carrying(base64URL(bytes))
    #expect(throws: DegradeReason.notAuthentic) { try parties.receiver().open(push) }
  }

  @Test(arguments: [UInt8(0), 1]) func aSmallOrderPointIsNotAuthentic(u: UInt8) throws {
    var bytes = try parties.envelope().encoded()
    bytes.replaceSubrange(mlkemEnd..<mlkemEnd + 32, with: [u] + [UInt8](repeating: 0, count: 31))
    let push = IncomingPush.carrying(base64URL(bytes))
    #expect(throws: DegradeReason.notAuthentic) { try parties.receiver().open(push) }
  }

  @Test func aKeyOfAnotherSuiteIsUnknown() throws {
    let other = Parties()
    let envelope = try parties.envelope()
    let renamed = try Envelope(
      suite: .xwingAESGCM, keyID: other.recipient.thumbprint.keyID,
      encapsulatedKey: envelope.encapsulatedKey, ciphertext: envelope.ciphertext)
    let receiver = other.receiver()
    #expect(throws: DegradeReason.unknownKey) { try receiver.open(.carrying(renamed.text)) }
  }
}
