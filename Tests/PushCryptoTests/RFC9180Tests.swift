import PushCrypto
import Testing

/// HPKE against every base mode vector of RFC 9180 for the two suites.
struct RFC9180Tests {
  @Test func `the file is complete`() throws {
    let groups = try RFC9180Group.load()
    #expect(Set(try groups.map { try $0.suite.kem.id }) == Set(HPKESuite.allCases.map(\.kem.id)))
    #expect(groups.allSatisfy { $0.mode == 0 })
    #expect(groups.map(\.encryptions.count) == [257, 257])
  }

  @Test(arguments: try RFC9180Group.load()) func `key pairs are derived`(group: RFC9180Group) throws {
    let kem = try group.suite.kem
    let recipient = try kem.deriveKeyPair(from: group.ikmR.bytes.span)
    #expect(exposed(recipient.privateKey) == group.skRm.bytes)
    #expect(recipient.publicKey == group.pkRm.bytes)
    let ephemeral = try kem.deriveKeyPair(from: group.ikmE.bytes.span)
    #expect(ephemeral.publicKey == group.pkEm.bytes)
    #expect(exposed(ephemeral.takePrivateKey()) == group.skEm.bytes)
    #expect(try kem.publicKey(of: group.skRm.bytes.span) == group.pkRm.bytes)
    #expect(group.pkRm.bytes.count == kem.publicKeySize)
  }

  @Test(arguments: try RFC9180Group.load()) func `both sides have the same context`(group: RFC9180Group)
    throws
  {
    let sender = try group.setupSender()
    #expect(sender.encapsulatedKey == group.enc.bytes)
    #expect(exposed(sender.context.key) == group.key.bytes)
    #expect(exposed(sender.context.baseNonce) == group.baseNonce.bytes)
    let recipient = try group.setupRecipient()
    #expect(exposed(recipient.key) == group.key.bytes)
    #expect(exposed(recipient.baseNonce) == group.baseNonce.bytes)
  }

  @Test(arguments: try RFC9180Group.load()) func `every message is sealed in order`(group: RFC9180Group)
    throws
  {
    var sender = try group.setupSender()
    for (sequenceNumber, encryption) in group.encryptions.enumerated() {
      let ciphertext = try sender.context.seal(
        encryption.pt.bytes.span, authenticating: encryption.aad.bytes.span)
      #expect(ciphertext == encryption.ct.bytes, "sequence number \(sequenceNumber)")
    }
  }

  @Test(arguments: try RFC9180Group.load()) func `every message opens in order`(group: RFC9180Group) throws {
    var recipient = try group.setupRecipient()
    for (sequenceNumber, encryption) in group.encryptions.enumerated() {
      let plaintext = try recipient.open(
        encryption.ct.bytes.span, authenticating: encryption.aad.bytes.span)
      let isEqual = exposed(plaintext) == encryption.pt.bytes
      #expect(isEqual, "sequence number \(sequenceNumber)")
    }
  }

  @Test(arguments: try RFC9180Group.load()) func `one shot is a context's first message`(group: RFC9180Group)
    throws
  {
    let first = group.encryptions[0]
    let message = try HPKE.seal(
      first.pt.bytes.span, to: group.pkRm.bytes.span, suite: group.suite, info: group.info.bytes.span,
      aad: first.aad.bytes.span, random: FixedRandom(value: group.ikmE.bytes))
    #expect(message.encapsulatedKey == group.enc.bytes)
    #expect(message.ciphertext == first.ct.bytes)
    let plaintext = try HPKE.open(
      first.ct.bytes.span, encapsulatedKey: group.enc.bytes.span, skR: group.skRm.bytes.span,
      pkR: group.pkRm.bytes.span, suite: group.suite, info: group.info.bytes.span, aad: first.aad.bytes.span)
    #expect(exposed(plaintext) == first.pt.bytes)
  }
}
