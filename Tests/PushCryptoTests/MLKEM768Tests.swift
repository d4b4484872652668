#if !canImport(CryptoKit)
  import PushCrypto
  import TestSupport
  import Testing

  /// OpenSSL's ML-KEM-768 against Wycheproof, with vectors of C2SP's CCTV among them.
  @Suite(.needsMLKEM) struct MLKEM768Tests {
    struct Encapsulation: Decodable, Sendable, CustomTestStringConvertible {
      let tcId: Int
      let ek, m: Hex
      let K, c: Hex?
      let result: WycheproofResult

      var testDescription: String { "\(tcId)" }

      static func all() throws -> [Self] { try WycheproofFile<Self>.load("mlkem_768_encaps") }
    }

    struct KeyPair: Decodable, Sendable {
      let seed, ek: Hex
    }

    struct Decapsulation: Decodable, Sendable, CustomTestStringConvertible {
      let tcId: Int
      let seed: Hex
      let c: Hex
      let K: Hex?
      let result: WycheproofResult

      var testDescription: String { "\(tcId)" }

      static func all() throws -> [Self] { try WycheproofFile<Self>.load("mlkem_768") }
    }

    @Test func `the files are complete`() throws {
      #expect(try Encapsulation.all().count { $0.result == .valid } == 133)
      #expect(try Encapsulation.all().count { $0.result == .invalid } == 132)
      #expect(try Decapsulation.all().count { $0.result == .valid } == 161)
      #expect(try Decapsulation.all().count { $0.result == .invalid } == 40)
    }

    @Test func `seeds give key pairs`() throws {
      let pairs = try WycheproofFile<KeyPair>.load("mlkem_768_keygen_seed")
      #expect(pairs.count == 100)
      for pair in pairs {
        let key = OpenSSLMLKEM768(seed: pair.seed.bytes.span)
        #expect(key?.publicKey == pair.ek.bytes)
        let isValid = MLKEM768.isValid(publicKey: pair.ek.bytes.span)
        #expect(isValid)
      }
    }

    @Test(arguments: try Encapsulation.all()) func `encapsulations`(test: Encapsulation) throws {
      let isValid = MLKEM768.isValid(publicKey: test.ek.bytes.span)
      #expect(isValid == (test.result == .valid))
      guard isValid else { return }
      let made = OpenSSLMLKEM768(publicKey: test.ek.bytes.span)
      let key = try #require(made)
      var ciphertext = [UInt8](repeating: 0, count: 1088)
      var span = ciphertext.mutableSpan
      let secret = Self.bytes(key.encapsulate(seed: test.m.bytes.span, into: &span))
      #expect(secret == test.K?.bytes)
      #expect(ciphertext == test.c?.bytes)
    }

    /// Wycheproof's invalid cases have a ciphertext or a seed of another length, which `XWing` checks.
    @Test(arguments: try Decapsulation.all()) func `decapsulations`(test: Decapsulation) throws {
      guard test.seed.bytes.count == 64, test.c.bytes.count == 1088 else {
        #expect(test.result == .invalid)
        return
      }
      #expect(test.result == .valid)
      let made = OpenSSLMLKEM768(seed: test.seed.bytes.span)
      let key = try #require(made)
      let secret = Self.bytes(key.decapsulate(test.c.bytes.span))
      #expect(secret == test.K?.bytes)
    }

    private static func bytes(_ secret: consuming Secret?) -> [UInt8]? {
      switch consume secret {
      case .some(let secret): exposed(secret)
      case .none: nil
      }
    }
  }
#endif
