import Foundation
import PushCore
import PushKeys
import Testing

@Suite("Keys of other programs")
struct PrivateKeyTests {
  private func key(_ kind: Kind, seed: UInt8 = 1) throws -> PrivateKey {
    let set = kind.makeSet(seed: seed)
    return try #require(set.privateKey(for: set.records[0].id))
  }

  private func parse(_ text: String, _ format: KeyFormat = .pem) throws(PrivateKeyError) -> PrivateKey {
    try PrivateKey(parsing: Array(text.utf8).span, as: format, algorithm: .x25519)
  }

  private func text(_ key: PrivateKey, _ format: KeyFormat = .pem) -> String {
    key.withEncodedBytes(as: format) { bytes in
      String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
    } ?? ""
  }

  @Test(arguments: Kind.pairs, KeyFormat.allCases) func readsWhatItWrites(kind: Kind, format: KeyFormat)
    throws
  {
    let key = try key(kind)
    let copy = try #require(
      try key.withEncodedBytes(as: format) {
        try PrivateKey(parsing: $0, as: format, algorithm: key.algorithm)
      })
    #expect(copy.publicKey == key.publicKey)
    let sets = [key, copy].map { keyTexts(PushKeysTests.text(KeySet(importing: $0, at: start)))[0] }
    #expect(sets[0] == sets[1], "the private key, too")
  }

  @Test(arguments: [1, 7, 1000]) func readsWhatComesInPieces(size: Int) throws {
    let key = try key(.x25519)
    var rest = Array(text(key).utf8)[...]
    let input = PrivateKeyInput { (bytes, start) in
      let piece = rest.prefix(size)
      for (index, byte) in piece.enumerated() { bytes[start + index] = byte }
      rest = rest.dropFirst(size)
      return piece.count
    }
    guard let input else {
      Issue.record("it was not read")
      return
    }
    let copy = try input.key(as: .pem, algorithm: .x25519)
    #expect(copy.publicKey == key.publicKey)
  }

  @Test(arguments: Kind.pairs) func writesAPublicKeyWithoutThePrivateOne(kind: Kind) throws {
    let key = try key(kind)
    #expect(key.publicKey.encoded(as: .raw) == key.publicKey.bytes)
    let pem = String(decoding: try #require(key.publicKey.encoded(as: .pem)), as: UTF8.self)
    #expect(pem.hasPrefix("-----BEGIN PUBLIC KEY-----\n"))
    let jwk = String(decoding: try #require(key.publicKey.encoded(as: .jwk)), as: UTF8.self)
    #expect(jwk.member("kid") == key.thumbprint.text && jwk.member("d").isEmpty)
    #expect(throws: PrivateKeyError.notPrivate) { try parse(pem) }
    #expect(throws: PrivateKeyError.notPrivate) { try parse(jwk, .jwk) }
  }

  /// RFC 8410, 10.3: an Ed25519 private key.
  @Test func readsTheRFCsKey() throws {
    let pem = """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
      -----END PRIVATE KEY-----

      """
    let key = try parse(pem)
    #expect(key.algorithm == .ed25519)
    #expect(text(key) == pem)
    let publicText = String(decoding: try #require(key.publicKey.encoded(as: .pem)), as: UTF8.self)
    #expect(publicText.contains("MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE="))
  }

  @Test func refusesAPassword() {
    let block = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
    #expect(throws: PrivateKeyError.encrypted) { try parse(block) }
  }

  @Test func refusesTheOlderWayOfAPassword() {
    let block = """
      -----BEGIN EC PRIVATE KEY-----
      Proc-Type: 4,ENCRYPTED
      DEK-Info: AES-128-CBC,00112233445566778899AABBCCDDEEFF

      MAAA
      -----END EC PRIVATE KEY-----

      """
    #expect(throws: PrivateKeyError.encrypted) { try parse(block) }
  }

  @Test func refusesWhatIsNotPKCS8() {
    let block = "-----BEGIN EC PRIVATE KEY-----\nMAAA\n-----END EC PRIVATE KEY-----\n"
    #expect(throws: PrivateKeyError.notPKCS8) { try parse(block) }
    // Parameters, which openssl(1) writes before such a key, do not make the key public.
    let parameters = "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n"
    #expect(throws: PrivateKeyError.notPKCS8) { try parse(parameters + block) }
    #expect(throws: PrivateKeyError.notPrivate) { try parse(parameters) }
  }

  @Test func readsTheOneKeyAmongOtherBlocks() throws {
    let key = try key(.x25519)
    let certificate = "-----BEGIN CERTIFICATE-----\nMAAA\n-----END CERTIFICATE-----\n"
    let publicKey = String(decoding: try #require(key.publicKey.encoded(as: .pem)), as: UTF8.self)
    for other in [certificate, publicKey] {
      for text in [text(key) + other, other + "words\n" + text(key), other + text(key) + other] {
        #expect(try parse(text).publicKey == key.publicKey)
      }
    }
  }

  @Test func refusesSeveral() throws {
    let (one, other) = (try key(.x25519), try key(.sender))
    let locked = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
    for rest in [text(other), text(one), locked] {
      #expect(throws: PrivateKeyError.notOneKey) { try parse(text(one) + rest) }
      #expect(throws: PrivateKeyError.notOneKey) { try parse(rest + text(one)) }
    }
    let set = Kind.x25519.makeSet()
    #expect(throws: PrivateKeyError.notOneKey) { try set.withEncodedBytes { try PrivateKey(jwk: $0) } }
  }

  @Test func refusesAnothersPublicHalf() throws {
    let (one, other) = (try key(.p256, seed: 1), try key(.p256, seed: 2))
    // The public key is at the end of P-256's PKCS#8.
    let lines = text(one).split(separator: "\n")
    let contents = try #require(Data(base64Encoded: lines.dropFirst().dropLast().joined()))
    #expect(contents.suffix(65).elementsEqual(one.publicKey.bytes))
    let mixed = (contents.dropLast(65) + other.publicKey.bytes)
      .base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
    #expect(throws: PrivateKeyError.mismatch) { try parse("\(lines[0])\n\(mixed)\n\(lines.last ?? "")\n") }
    let jwk = text(try key(.x25519), .jwk).setting(
      "x", to: "\"\(text(try key(.x25519, seed: 2), .jwk).member("x"))\"")
    #expect(throws: PrivateKeyError.mismatch) { try parse(jwk, .jwk) }
  }

  @Test func readsAPlainJWKWithMembersThatItDoesNotKnow() throws {
    let key = try key(.p256)
    let jwk = text(key, .jwk).setting("use", to: nil).setting("alg", to: nil)
      .setting("kid", to: #""mine","key_ops":["deriveBits"],"ext":true"#)
    #expect(try parse(jwk, .jwk).publicKey == key.publicKey)
  }

  @Test(arguments: [("use", "\"sig\""), ("alg", "\"ES256\""), ("crv", "\"P-384\""), ("kty", "\"RSA\"")])
  func refusesAJWKForSomethingElse(member: String, value: String) throws {
    let jwk = text(try key(.p256), .jwk).setting(member, to: value)
    #expect(throws: PrivateKeyError.self) { try parse(jwk, .jwk) }
  }

  @Test func refusesWhatIsNoKey() throws {
    for text in ["", "hello", "-----BEGIN PRIVATE KEY-----\n", "{}"] {
      #expect(throws: PrivateKeyError.malformed) { try parse(text, .pem) }
    }
    for text in ["", "[]", "{}", "hello"] { #expect(throws: PrivateKeyError.self) { try parse(text, .jwk) } }
    for count in [0, 31, 33] {
      let bytes = [UInt8](repeating: 1, count: count)
      #expect(throws: PrivateKeyError.malformed) { try PrivateKey(raw: bytes.span, algorithm: .x25519) }
    }
    let (zeros, ones) = ([UInt8](repeating: 0, count: 32), [UInt8](repeating: 255, count: 32))
    #expect(throws: PrivateKeyError.malformed) { try PrivateKey(raw: zeros.span, algorithm: .ed25519) }
    #expect(throws: PrivateKeyError.malformed) { try PrivateKey(raw: ones.span, algorithm: .p256) }
    #expect(throws: PrivateKeyError.unsupported) { try PrivateKey(raw: ones.span, algorithm: .shared) }
  }

  @Test(arguments: Kind.pairs) func refusesEveryCut(kind: Kind) throws {
    let whole = text(try key(kind)).dropLast()
    for count in 0..<whole.count {
      #expect(throws: PrivateKeyError.self) { try parse(String(whole.prefix(count))) }
    }
  }

  @Test func doesNotPrintThePrivateKey() throws {
    let key = try key(.x25519)
    var printed = ""
    dump(key, to: &printed)
    printed += "\(key)" + String(reflecting: key)
    #expect(!printed.contains("secret"))
  }

  @Test func givesNoSharedKeyAndNoneThatIsNotThere() {
    let shared = Kind.shared.makeSet()
    #expect(shared.privateKey(for: shared.records[0].id) == nil)
    #expect(Kind.x25519.makeSet(seed: 1).privateKey(for: Kind.x25519.makeSet(seed: 2).records[0].id) == nil)
  }
}
