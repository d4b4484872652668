/// Z85 (ZeroMQ RFC 32) extended to any number of bytes, as the relays between Web Push and APNs write it.
///
/// Four bytes, read as a big-endian number, become five characters. One to three remaining bytes become two to four
/// characters.
enum ExtendedZ85 {
  /// Decodes ASCII text; `nil` for anything that the encoder would not have written.
  static func decode(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 5 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 5 * 4 + 3)
    for start in stride(from: 0, to: text.count, by: 5) {
      let count = min(5, text.count - start)
      var value: UInt64 = 0
      for index in start..<start + count {
        guard let digit = digit(of: text[index]) else { return nil }
        value = value * 85 + UInt64(digit)
      }
      let byteCount = count - 1
      guard value >> (8 * UInt64(byteCount)) == 0 else { return nil }
      for place in (0..<byteCount).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(place))))
      }
    }
    return bytes
  }

  /// Encodes bytes as ASCII.
  static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 4 * 5 + 4)
    for start in stride(from: 0, to: bytes.count, by: 4) {
      let end = min(start + 4, bytes.count)
      var value: UInt64 = 0
      for index in start..<end { value = value << 8 | UInt64(bytes[index]) }
      var group: [UInt8] = []
      for _ in start...end {
        group.append(characters[Int(value % 85)])
        value /= 85
      }
      text.append(contentsOf: group.reversed())
    }
    return text
  }

  private static func digit(of character: UInt8) -> UInt8? {
    character < 128 ? digits[Int(character)] : nil
  }

  private static let characters = [UInt8](
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#".utf8)

  private static let digits: [UInt8?] = {
    var digits = [UInt8?](repeating: nil, count: 128)
    for (digit, character) in characters.enumerated() { digits[Int(character)] = UInt8(digit) }
    return digits
  }()
}
