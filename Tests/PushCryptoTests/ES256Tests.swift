#if os(Linux)
  import PushCrypto
  import TestSupport
  import Testing

  @Suite struct ES256Tests {
    private static let key = bytes("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")

    private static func bytes(_ hex: String) -> [UInt8] {
      let digits = hex.compactMap(\.hexDigitValue)
      return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    @Test(
      "Signatures are those of RFC 6979, A.2.5",
      arguments: [
        (
          "sample",
          "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
            + "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
          "test",
          "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
            + "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
      ])
    func vector(message: String, signature: String) throws {
      #expect(try ES256.sign(Array(message.utf8).span, with: Self.key.span) == Self.bytes(signature))
    }

    @Test("A private key of another length, or outside the range, is refused")
    func invalidKey() {
      for key in [
        [UInt8](repeating: 1, count: 31), [UInt8](repeating: 0, count: 32),
        [UInt8](repeating: 255, count: 32),
      ] {
        #expect(throws: CryptoError.invalidPrivateKey) { try ES256.sign([1].span, with: key.span) }
      }
    }

    @Test("Signing again and again leaves no memory behind")
    func memory() async {
      await #expect(processExitsWith: .success) {
        let growth = try Heap.growth(repeating: 200) { _ in _ = try ES256.sign([1].span, with: Self.key.span)
        }
        // The curve alone takes more than a kilobyte.
        try #require(growth < 1 << 16)
      }
    }
  }
#endif
