/// A message's ID: a UUID of 16 bytes (RFC 9562).
public struct MessageID: Hashable, Sendable {
  /// The length, in bytes.
  public static let size = 16

  /// The first 8 bytes, big-endian.
  private let high: UInt64

  /// The last 8 bytes, big-endian.
  private let low: UInt64

  /// The 16 bytes.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.size)
    append(to: &bytes)
    return bytes
  }

  /// Makes a random ID (UUID version 4).
  public static func random() -> MessageID {
    let (high, low) = RandomIDs.next()
    return MessageID(high: high & 0xffff_ffff_ffff_0fff | 0x4000, low: variant(of: low))
  }

  /// Makes an ID that begins with the time in milliseconds, and is random apart from that (UUID version 7).
  ///
  /// IDs that are made one after the other are near each other in a table's index, which so stays fast. Whoever sees one sees
  /// when it was made.
  public static func timeOrdered(at clock: some PushClock = SystemClock()) -> MessageID {
    let (high, low) = RandomIDs.next()
    let (seconds, attoseconds) = clock.sinceEpoch.components
    let milliseconds =
      UInt64(clamping: seconds) &* 1000 &+ UInt64(clamping: attoseconds / 1_000_000_000_000_000)
    return MessageID(high: milliseconds << 16 | 0x7000 | high & 0x0fff, low: variant(of: low))
  }

  /// The last 8 bytes, with the variant of RFC 9562 (4.1).
  private static func variant(of low: UInt64) -> UInt64 { low & ~(0b11 << 62) | 0b10 << 62 }

  /// Takes 16 bytes; nil for any other number of bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.size else { return nil }
    self.init(high: UInt64(bigEndian: bytes.prefix(8)), low: UInt64(bigEndian: bytes.suffix(8)))
  }

  /// Reads the text form, 8-4-4-4-12 hexadecimal digits in either case.
  ///
  /// - Throws: ``ValueError``.
  public init(_ text: String) throws(ValueError) {
    let characters = Array(text.utf8)
    guard characters.count == Self.textSize else { throw Self.error(at: nil) }
    var (high, low): (UInt64, UInt64) = (0, 0)
    for (index, character) in characters.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard character == UInt8(ascii: "-") else { throw Self.error(at: index) }
        continue
      }
      guard let digit = HexDigit.value(of: character) else { throw Self.error(at: index) }
      (high, low) = (high << 4 | low >> 60, low << 4 | UInt64(digit))
    }
    self.init(high: high, low: low)
  }

  private static func error(at offset: Int?) -> ValueError {
    ValueError("message ID", is: "8-4-4-4-12 hexadecimal digits with hyphens", notAt: offset)
  }

  /// The text form, in lowercase.
  public var text: String {
    unsafe String(unsafeUninitializedCapacity: Self.textSize) { text in
      var position = 0
      for index in 0..<Self.size {
        let byte = UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> (56 - 8 * (index % 8)))
        if index == 4 || index == 6 || index == 8 || index == 10 {
          unsafe text[position] = UInt8(ascii: "-")
          position += 1
        }
        unsafe text[position] = HexDigit.of(byte >> 4)
        unsafe text[position + 1] = HexDigit.of(byte & 0x0f)
        position += 2
      }
      return position
    }
  }

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Appends the 16 bytes.
  func append(to bytes: inout [UInt8]) {
    bytes.append(bigEndian: high, count: 8)
    bytes.append(bigEndian: low, count: 8)
  }

  private static let textSize = 36
}

extension MessageID: CustomStringConvertible {
  /// The text form.
  public var description: String { text }
}
