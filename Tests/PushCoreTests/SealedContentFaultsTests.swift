import PushTesting
import PushCore
import Testing

/// Each case has one fault in a plaintext that is otherwise right.
struct SealedContentFaultsTests {
  private func plaintext(isSigned: Bool = false) -> [UInt8] {
    let content = Sample.content(isSigned: isSigned)
    return content.encoded(paddedTo: content.minimumSize + 3)
  }

  @Test("the plaintexts without a fault are read", arguments: [true, false])
  func faultless(isSigned: Bool) throws {
    #expect(try decode(plaintext(isSigned: isSigned)).content == Array("{}".utf8))
  }

  @Test("only content types 1 to 7 exist", arguments: [0] + Array(8...15) as [UInt8])
  func types(type: UInt8) {
    var bytes = plaintext()
    bytes[0] = type << 4
    #expect(throws: SealedContentError.unknownType(type)) { try decode(bytes) }
  }

  @Test("every reserved flag is refused", arguments: 2...15 as ClosedRange<UInt8>)
  func flags(flags: UInt8) {
    var bytes = plaintext(isSigned: flags & 1 == 1)
    bytes[0] = bytes[0] & 0xf0 | flags
    #expect(throws: SealedContentError.reservedFlags) { try decode(bytes) }
  }

  @Test(
    "a time from 2^53 on is refused",
    arguments: [1 << 53, 1 << 53 + 1, 1 << 63 - 1, 1 << 63, .max] as [UInt64])
  func lateTimes(seconds: UInt64) {
    var bytes = plaintext()
    for index in 0..<8 { bytes[17 + index] = UInt8(truncatingIfNeeded: seconds >> UInt64(56 - 8 * index)) }
    #expect(throws: SealedContentError.timeOutOfRange) { try decode(bytes) }
  }

  @Test("a lifetime of more than 30 days is refused", arguments: [2_592_001, 1 << 31, .max] as [UInt32])
  func longLifetimes(seconds: UInt32) {
    var bytes = plaintext()
    for index in 0..<4 { bytes[25 + index] = UInt8(truncatingIfNeeded: seconds >> UInt32(24 - 8 * index)) }
    #expect(throws: SealedContentError.lifetimeOutOfRange) { try decode(bytes) }
  }

  @Test("a plaintext that ends within its fields is refused", arguments: [(false, 29), (true, 101)])
  func truncations(isSigned: Bool, headSize: Int) throws {
    let bytes = plaintext(isSigned: isSigned)
    for count in 0..<headSize {
      #expect(throws: SealedContentError.truncated, "\(count) bytes") {
        try decode(Array(bytes.prefix(count)) + [0x80])
      }
    }
    #expect(try decode(Array(bytes.prefix(headSize)) + [0x80]).content.isEmpty)
  }

  @Test(
    "padding is 0x80 and zeros",
    arguments: [
      [], [0x01], [0x00, 0x01], [0x80, 0x01], [0x80, 0x00, 0x00, 0x01], [0x81], [0x7f, 0x00, 0x00],
    ]
      as [[UInt8]])
  func padding(bytes: [UInt8]) {
    let head = plaintext().prefix(29) + Array("{}".utf8)
    #expect(throws: SealedContentError.badPadding) { try decode(head + bytes) }
  }

  @Test("a plaintext of nothing, or of zeros alone, has no padding", arguments: [0, 1, 30, 256])
  func zeros(count: Int) {
    #expect(throws: SealedContentError.badPadding) { try decode([UInt8](repeating: 0, count: count)) }
  }

  @Test("any plaintext is read or refused, and what is read is canonical")
  func anything() throws {
    var generator = SeededGenerator(seed: 7)
    var read = 0
    for _ in 0..<5000 {
      var bytes = plaintext(isSigned: Bool.random(using: &generator))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        bytes[Int.random(in: bytes.indices, using: &generator)] = generator.bytes(count: 1)[0]
      }
      guard let content = try? decode(bytes) else { continue }
      read += 1
      #expect(content.encoded(paddedTo: bytes.count) == bytes)
    }
    #expect(read > 500)
  }
}
