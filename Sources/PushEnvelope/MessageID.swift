/// The identity of a message, 16 bytes: a UUID (RFC 9562).
public struct MessageID: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 16

  /// The 16 bytes.
  public let bytes: [UInt8]

  /// A random one, version 4.
  public static func random() -> MessageID {
    var generator = SystemRandomNumberGenerator()
    var bytes = (0..<size).map { _ in generator.next() as UInt8 }
    bytes[6] = bytes[6] & 0x0f | 0x40
    bytes[8] = bytes[8] & 0x3f | 0x80
    return MessageID(unchecked: bytes)
  }

  /// Takes 16 bytes; null for any other number.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.bytes = bytes
  }

  /// Reads the text form, 8-4-4-4-12 hexadecimal digits in either case; null for any other text.
  public init?(text: String) {
    let characters = Array(text.utf8)
    guard characters.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for (index, character) in characters.enumerated() {
      if Self.hyphens.contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      guard let digit = Self.hexValue(character) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    self.init(bytes)
  }

  /// The text form, in lower case.
  public var text: String {
    var text = ""
    for byte in bytes {
      if Self.hyphens.contains(text.utf8.count) { text += "-" }
      text += Self.hexDigits[Int(byte >> 4)] + Self.hexDigits[Int(byte & 0x0f)]
    }
    return text
  }

  private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

  private static let hyphens: Set<Int> = [8, 13, 18, 23]
  private static let hexDigits = "0123456789abcdef".map(String.init)

  private static func hexValue(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
