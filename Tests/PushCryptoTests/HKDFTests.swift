import PushCrypto
import Testing

/// HKDF with SHA-256 against RFC 5869 and Wycheproof.
struct HKDFTests {
  @Test func `the file is complete`() throws {
    #expect(try HKDFCase.load().count == 86)
    #expect(try HKDFCase.load().count { $0.result == .invalid } == 3)
  }

  /// The invalid cases ask for more than 255 blocks, which is a caller's mistake and traps.
  @Test(arguments: try HKDFCase.load()) func wycheproof(test: HKDFCase) {
    guard test.result == .valid else {
      #expect(test.size > HKDFSHA256.maximumOutputSize)
      return
    }
    let prk = HKDFSHA256.extract(salt: test.salt.bytes.span) { $0.update(test.ikm.bytes.span) }
    let okm = HKDFSHA256.expand(prk.exposedBytes, count: test.size) { $0.update(test.info.bytes.span) }
    #expect(exposed(okm) == test.okm.bytes)
  }

  @Test func `more than 255 blocks are refused`() async {
    await #expect(processExitsWith: .failure) {
      _ = HKDFSHA256.expand([1].span, count: HKDFSHA256.maximumOutputSize + 1) { _ in }
    }
  }

  @Test func `no bytes can be asked for`() {
    let nothing = HKDFSHA256.expand([1].span, count: 0) { _ in }
    #expect(exposed(nothing) == [])
  }

  /// RFC 5869, A.1 to A.3.
  @Test func rfc5869() throws {
    struct Vector: Decodable {
      let ikm, salt, info, prk, okm: Hex
      let size: Int
    }
    let vectors: [Vector] = try VectorFile.load("rfc5869-sha256")
    #expect(vectors.count == 3)
    for vector in vectors {
      let prk = HKDFSHA256.extract(salt: vector.salt.bytes.span) { $0.update(vector.ikm.bytes.span) }
      #expect(exposed(prk) == vector.prk.bytes)
      let okm = HKDFSHA256.expand(prk.exposedBytes, count: vector.size) { $0.update(vector.info.bytes.span) }
      #expect(exposed(okm) == vector.okm.bytes)
    }
  }
}

struct HKDFCase: Decodable, Sendable, CustomTestStringConvertible {
  let tcId: Int
  let comment: String
  let ikm, salt, info, okm: Hex
  let size: Int
  let result: WycheproofResult

  var testDescription: String { "\(tcId) \(comment)" }

  static func load() throws -> [HKDFCase] { try WycheproofFile<HKDFCase>.load("hkdf_sha256") }
}
