import Testing

@testable import PushCompat

/// Base64 in the standard alphabet.
struct StandardBase64Tests {
  /// RFC 4648, 10.
  @Test(
    arguments: zip(
      ["", "f", "fo", "foo", "foob", "fooba", "foobar"],
      ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
    )) func `the RFC's examples`(plain: String, encoded: String)
  {
    let bytes = Array(plain.utf8)
    #expect(text(StandardBase64.encode(bytes.span)) == encoded)
    #expect(decode(encoded) == bytes)
  }

  @Test func `every character has its six bits`() {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for (value, character) in alphabet.enumerated() {
      let text = "AAA\(character)"
      #expect(decode(text) == [0, 0, UInt8(value)])
      let bytes = [0, 0, UInt8(value)]
      #expect(PushCompatTests.text(StandardBase64.encode(bytes.span)) == text)
    }
  }

  @Test func `every foreign character is refused`() {
    let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)
    for character in UInt8.min...UInt8.max where !alphabet.contains(character) {
      let text: [UInt8] = [65, character, 65, 65]
      #expect(StandardBase64.decode(text.span) == nil)
    }
  }

  @Test(arguments: [
    "Zg", "Zg=", "Zm9vYg", "Z", "====", "Z===", "Zg==Zg==", "=Zg=", "Zg==\n", "Zm9v\n", "Zh==", "Zm9=",
    "Zm9vA===", "Zm-v", "Zm_v",
  ]) func `what no encoder writes is refused`(text: String) {
    #expect(decode(text) == nil)
  }

  private func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    return StandardBase64.decode(text.span)
  }
}
