import PushCrypto
import Testing

/// The counter of a context (RFC 9180, 5.2), which only a success increments.
struct HPKEContextTests {
  @Test(arguments: try RFC9180Group.load()) func `a later message does not open first`(group: RFC9180Group)
    throws
  {
    for sequenceNumber in [1, 2, 255, 256] {
      var recipient = try group.setupRecipient()
      let isRefused = refuses(&recipient, group.encryptions[sequenceNumber])
      #expect(isRefused, "sequence number \(sequenceNumber)")
    }
  }

  @Test(arguments: try RFC9180Group.load()) func `a message does not open twice`(group: RFC9180Group) throws {
    var recipient = try group.setupRecipient()
    _ = try open(&recipient, group.encryptions[0])
    let isRefused = refuses(&recipient, group.encryptions[0])
    #expect(isRefused)
  }

  @Test(arguments: try RFC9180Group.load())
  func `a wrong message leaves the counter as it was`(group: RFC9180Group) throws {
    var recipient = try group.setupRecipient()
    for encryption in group.encryptions.prefix(3) {
      for wrong in wrongCiphertexts(encryption.ct.bytes) {
        #expect(throws: CryptoError.notAuthentic) {
          _ = try recipient.open(wrong.span, authenticating: encryption.aad.bytes.span)
        }
      }
      #expect(try open(&recipient, encryption) == encryption.pt.bytes)
    }
  }

  @Test(arguments: try RFC9180Group.load()) func `a plaintext has another ciphertext each time`(
    group: RFC9180Group
  ) throws {
    var sender = try group.setupSender()
    let first = try sender.context.seal([1, 2, 3].span, authenticating: Span())
    let second = try sender.context.seal([1, 2, 3].span, authenticating: Span())
    #expect(first != second)
  }

  @Test(arguments: HPKESuite.allCases) func `each message has its own encapsulated key`(suite: HPKESuite)
    throws
  {
    let recipient = try suite.kem.deriveKeyPair(from: [UInt8](repeating: 7, count: 32).span)
    var seen: Set<[UInt8]> = []
    for _ in 0..<32 {
      let message = try HPKE.seal(
        [1].span, to: recipient.publicKey.span, suite: suite, info: Span(), aad: Span(),
        random: SystemRandom())
      seen.insert(message.encapsulatedKey)
      let opened = try HPKE.open(
        message.ciphertext.span, encapsulatedKey: message.encapsulatedKey.span,
        skR: recipient.privateKey.exposedBytes, pkR: recipient.publicKey.span, suite: suite, info: Span(),
        aad: Span())
      #expect(exposed(opened) == [1])
    }
    #expect(seen.count == 32)
  }

  private func open(
    _ context: inout HPKEContext, _ encryption: RFC9180Group.Encryption
  ) throws(CryptoError) -> [UInt8] {
    let plaintext = try context.open(
      encryption.ct.bytes.span, authenticating: encryption.aad.bytes.span)
    return exposed(plaintext)
  }

  private func refuses(_ context: inout HPKEContext, _ encryption: RFC9180Group.Encryption) -> Bool {
    do {
      _ = try open(&context, encryption)
      return false
    } catch {
      return error == .notAuthentic
    }
  }

  private func wrongCiphertexts(_ ciphertext: [UInt8]) -> [[UInt8]] {
    var flipped = ciphertext
    flipped[0] ^= 1
    return [flipped, [], Array(ciphertext.dropLast()), ciphertext + [0]]
  }
}
