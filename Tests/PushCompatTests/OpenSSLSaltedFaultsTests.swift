import PushCompat
import PushCrypto
import PushCore
import Testing
import PushReceiver

/// What is no envelope of `openssl enc`, a fault a test.
struct OpenSSLSaltedFaultsTests {
  private let malformed = EnvelopeFormatError.malformed(member: "ENCRYPTED_DATA")

  @Test func `no member`() throws {
    #expect(throws: EnvelopeFormatError.absent) { try salted().open(["aps": "x"]) }
  }

  @Test func `a member that is no string`() throws {
    #expect(throws: malformed) { try salted().open(["ENCRYPTED_DATA": 7]) }
  }

  @Test(arguments: [
    "", "U2FsdGVkX1", "====", "U2FsdGVkX18=",
    // One character less, a foreign one, the other alphabet, and white space within four characters.
    String(Sample.salted.dropLast()), Sample.salted.replacing("P4g", with: "P*g"),
    "U2FsdGVkX18BAgMEBQYHCA-SqE_FBvQmZIZwQDr6mwv0JU8Gu0xmPNWqf3uw7rOw",
    "U2\n" + Sample.salted.dropFirst(2), "\u{a0}" + Sample.salted, Sample.salted + "====",
    Sample.salted + "A===",
    // Characters behind padding, and bits behind the last byte.
    "U2FsdGVkX18=" + Sample.salted, "U2FsdGVkX19=",
  ])
  func `a text that is no base64, or too short`(text: String) throws {
    #expect(throws: malformed) { try salted().open(payload(text)) }
  }

  @Test func `more than 8192 characters`() throws {
    let text = String(repeating: "A", count: 8196)
    #expect(throws: EnvelopeFormatError.tooLarge) { try salted().open(payload(text)) }
    #expect(throws: malformed) { try salted().open(payload(String(repeating: "A", count: 8192))) }
    let bytes = [UInt8](repeating: 0, count: 6145)
    #expect(throws: EnvelopeFormatError.tooLarge) { try salted().open(bytes: bytes.span) }
  }

  @Test func `8192 characters and a line break`() throws {
    let plaintext = [UInt8](repeating: 0x33, count: 6112)
    let envelope = try salted().seal(plaintext.span)
    let lines = String(envelope.prefix(64) + "\n" + envelope.dropFirst(64))
    #expect(throws: EnvelopeFormatError.tooLarge) { try salted().open(payload(lines)) }
  }

  @Test func `the longest plaintext, and one byte more`() throws {
    let plaintext = [UInt8](repeating: 0x33, count: 6112)
    let envelope = try salted().seal(plaintext.span)
    #expect(try salted().open(text: envelope) == plaintext)
    let longer = plaintext + [0]
    #expect(throws: EnvelopeFormatError.tooLarge) { try salted().seal(longer.span) }
  }

  @Test func `an envelope cut anywhere`() throws {
    let envelope = try sealed(iterations: 1, [UInt8](repeating: 0x20, count: 40))
    let format = try salted(Sample.password, .pbkdf2(iterations: 1)!)
    for count in 0..<envelope.count {
      let cut = Array(envelope.prefix(count))
      // Behind a whole block it is only the padding that is missing, and 0x20 is none.
      let error = count >= 32 && count.isMultiple(of: 16) ? .notAuthentic : malformed
      #expect(throws: error) { try format.open(bytes: cut.span) }
    }
  }

  @Test func `another start`() throws {
    for index in 0..<8 {
      var envelope = try sealed(iterations: 1, [1])
      envelope[index] ^= 0x20
      #expect(throws: malformed) { try salted().open(bytes: envelope.span) }
    }
  }

  /// Padding notices these; it does not notice every one.
  @Test func `another password, salt, derivation, or last block`() throws {
    let error = EnvelopeFormatError.notAuthentic
    #expect(throws: error) { try salted("correct horse ").open(text: Sample.salted) }
    #expect(throws: error) { try salted("other").open(text: Sample.salted) }
    #expect(throws: error) {
      try salted(Sample.password, .pbkdf2(iterations: 10_001)!).open(text: Sample.salted)
    }
    #expect(throws: error) {
      try salted(Sample.password, .bytesToKey(digest: .sha256)).open(text: Sample.salted)
    }
    let otherSalt = Sample.salted.replacing("QYHCP", with: "QYHCf")
    #expect(throws: error) { try salted().open(text: otherSalt) }
    let otherEnd = Sample.salted.dropLast() + "Y"
    #expect(throws: error) { try salted().open(text: String(otherEnd)) }
  }

  /// About one in 256 does.
  @Test func `a wrong password may unpad, and opens another text`() throws {
    let plaintext = [UInt8](repeating: 0x41, count: 20)
    let envelope = try sealed(iterations: 1, plaintext)
    let opened = (0..<10_000).lazy.compactMap { number in
      try? salted("wrong \(number)", .pbkdf2(iterations: 1)!).open(bytes: envelope.span)
    }.first
    #expect(try #require(opened) != plaintext)
  }

  /// What the type's description says that it lacks.
  @Test func `an altered envelope opens`() throws {
    var envelope = try sealed(iterations: 1, [UInt8](repeating: 0x41, count: 20))
    envelope[16] ^= 2
    let format = try salted(Sample.password, .pbkdf2(iterations: 1)!)
    let opened = try format.open(bytes: envelope.span)
    #expect(opened[16] == 0x43)
    #expect(opened.count == 20)
  }

  @Test func `passwords and iterations out of range`() {
    for count in [0, 1025] {
      let password = [UInt8](repeating: 0x41, count: count)
      #expect(OpenSSLSalted.unauthenticated(password: password.span) == nil)
    }
    let longest = [UInt8](repeating: 0x41, count: 1024)
    #expect(OpenSSLSalted.unauthenticated(password: longest.span) != nil)
    for iterations in [.min, -1, 0, 1_000_001, .max] {
      #expect(OpenSSLSalted.Derivation.pbkdf2(iterations: iterations) == nil)
    }
    #expect(OpenSSLSalted.Derivation.pbkdf2(iterations: 1_000_000) != nil)
  }

  @Test func `PBKDF2 with MD5 is there where the system's library has it`() {
    let derivation = OpenSSLSalted.Derivation.pbkdf2(iterations: 1, digest: .md5)
    #expect((derivation != nil) == PBKDF2.isAvailable(with: .md5))
  }

  @Test func `it prints nothing of its password`() throws {
    let format = try salted("hunter2")
    var dumped = ""
    dump(format, to: &dumped)
    #expect(!(dumped + String(reflecting: format)).contains("hunter2"))
    #expect(Mirror(reflecting: format).children.isEmpty)
  }

  private func sealed(iterations: Int, _ plaintext: [UInt8]) throws -> [UInt8] {
    let format = try salted(Sample.password, .pbkdf2(iterations: iterations)!)
    return try format.sealedBytes(of: plaintext.span, random: FixedRandom(value: [UInt8](1...8)))
  }
}
