import Testing

@testable import PushCrypto

/// That a code depends on nothing that came before it, though a thread uses one context again and again.
struct HMACStateTests {
  private static let message = [UInt8]("what do ya want for nothing?".utf8)

  @Test func `an empty key follows another key`() {
    for _ in 0..<3 {
      _ = code(key: [UInt8](repeating: 0xaa, count: 131))
      #expect(code(key: []) == code(key: [], fromSodium: true))
    }
  }

  @Test(arguments: [[], [1, 2, 3]] as [[UInt8]])
  func `a code that nobody finishes leaves nothing`(key: [UInt8]) {
    do {
      let abandoned = HMACSHA256(key: [9].span)
      abandoned.update("half a message")
    }
    #expect(code(key: key) == code(key: key, fromSodium: true))
  }

  @Test func `codes made side by side do not mix`() {
    let first = HMACSHA256(key: [1].span)
    first.update("fir")
    let second = HMACSHA256(key: Span())
    second.update("sec")
    let third = HMACSHA256(key: [3].span)
    first.update("st")
    second.update("ond")
    #expect(exposed(third.finish()) == code(key: [3], message: []))
    #expect(exposed(first.finish()) == code(key: [1], message: [UInt8]("first".utf8)))
    #expect(exposed(second.finish()) == code(key: [], message: [UInt8]("second".utf8)))
  }

  @Test func `threads do not mix`() async {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<UInt8(8) {
        group.addTask {
          let key = [UInt8](repeating: number, count: Int(number))
          let expected = self.code(key: key, fromSodium: true)
          return (0..<500).allSatisfy { _ in self.code(key: key) == expected }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// RFC 4231, 4.3, from the library that stands in where OpenSSL has no HMAC.
  @Test(arguments: [false, true]) func rfc4231(fromSodium: Bool) {
    let expected = bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(code(key: [UInt8]("Jefe".utf8), fromSodium: fromSodium) == expected)
  }

  private func code(
    key: [UInt8], message: [UInt8] = Self.message, fromSodium: Bool = false
  ) -> [UInt8] {
    let hmac = HMACSHA256(key: key.span, fromSodium: fromSodium)
    hmac.update(message.span)
    return exposed(hmac.finish())
  }
}
