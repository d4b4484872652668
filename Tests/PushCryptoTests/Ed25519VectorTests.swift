import PushCrypto
import Testing

/// Ed25519 against Wycheproof, which draws on RFC 8032.
struct Ed25519VectorTests {
  @Test func `the file is complete`() throws {
    let cases = try Ed25519Case.load()
    #expect(cases.count == 151)
    #expect(cases.count { $0.result == .valid } == 88)
    #expect(cases.count { $0.result == .invalid } == 63)
  }

  @Test(arguments: try Ed25519Case.load()) func wycheproof(test: Ed25519Case) {
    let isValid = Ed25519.isValid(
      test.sig.bytes.span, on: test.msg.bytes.span, publicKey: test.publicKey.bytes.span)
    #expect(isValid == (test.result == .valid))
  }

  /// RFC 8032, 7.1, tests 1 to 3: private key, public key, message, signature.
  @Test(arguments: [
    [
      "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
      "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
      "",
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
        + "d25bf5f0595bbe24655141438e7a100b",
    ],
    [
      "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      "72",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c"
        + "387b2eaeb4302aeeb00d291612bb0c00",
    ],
    [
      "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      "af82",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
        + "4a7c15e9716ed28dc027beceea1ec40a",
    ],
  ]) func rfc8032(vector: [String]) throws {
    let privateKey = bytes(vector[0])
    let publicKey = bytes(vector[1])
    let message = bytes(vector[2])
    let signature = bytes(vector[3])
    #expect(try Ed25519.publicKey(of: privateKey.span) == publicKey)
    let own = try Ed25519.sign(message.span, privateKey: privateKey.span, publicKey: publicKey.span)
    // CryptoKit mixes random bytes into its signatures.
    if Ed25519.isDeterministic { #expect(own == signature) }
    for signature in [signature, own] {
      let isValid = Ed25519.isValid(signature.span, on: message.span, publicKey: publicKey.span)
      #expect(isValid)
    }
  }

  @Test(arguments: [0, 31, 33, 64]) func `keys of another length are refused`(count: Int) {
    let odd = [UInt8](repeating: 1, count: count)
    let right = [UInt8](repeating: 1, count: 32)
    #expect(throws: CryptoError.invalidPrivateKey) { try Ed25519.publicKey(of: odd.span) }
    #expect(throws: CryptoError.invalidPublicKey) { try Ed25519.validate(publicKey: odd.span) }
    #expect(throws: CryptoError.invalidPrivateKey) {
      try Ed25519.sign(Span(), privateKey: odd.span, publicKey: right.span)
    }
    #expect(throws: CryptoError.invalidPrivateKey) {
      try Ed25519.sign(Span(), privateKey: right.span, publicKey: odd.span)
    }
  }
}

struct Ed25519Case: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let comment: String
  let msg, sig: Hex
  let result: WycheproofResult
  let publicKey: Hex

  var testDescription: String { "\(tcId) \(comment)" }

  static func load() throws -> [Ed25519Case] { try WycheproofFile<Ed25519Case>.load("ed25519") }
}
