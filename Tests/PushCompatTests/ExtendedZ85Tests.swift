import Testing

@testable import PushCompat

/// Z85 for any number of bytes.
struct ExtendedZ85Tests {
  /// ZeroMQ RFC 32.
  @Test func `the specification's example`() {
    let bytes = bytes("864fd26fb559f75b")
    #expect(text(ExtendedZ85.encode(bytes.span)) == "HelloWorld")
    #expect(decode("HelloWorld") == bytes)
  }

  @Test func `every length makes a round trip and takes one character more for each group`() {
    for count in 0...17 {
      let bytes = (0..<count).map { UInt8(255 - $0 * 7) }
      let text = text(ExtendedZ85.encode(bytes.span))
      #expect(text.utf8.count == count + (count + 3) / 4)
      #expect(decode(text) == bytes)
    }
  }

  @Test func `short groups are the numbers of their bytes`() {
    #expect(decode("01") == [1])
    #expect(decode("30") == [255])
    #expect(decode("010") == [0, 85])
    #expect(decode("0010") == [0, 0, 85])
  }

  @Test(arguments: [
    "0", "HelloW",  // no byte has one character
    "31", "%%", "961", "%%%%", "%nSc1",  // more than the bytes hold
    "Hello Worl", "Hell\"", "Hell,", "Hellé", "\u{7f}0",  // foreign
  ]) func `what no encoder writes is refused`(text: String) {
    #expect(decode(text) == nil)
  }

  @Test func `the largest groups are taken`() {
    #expect(decode("%nSc0") == [255, 255, 255, 255])
    #expect(decode("960") == [255, 255])
    #expect(decode("") == [])
  }

  private func decode(_ text: String) -> [UInt8]? {
    let text = Array(text.utf8)
    return ExtendedZ85.decode(text.span)
  }
}
