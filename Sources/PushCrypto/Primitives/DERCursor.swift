/// A place among elements of DER (X.690), which stand in bytes that are handed over each time.
struct DERCursor {
  /// The tags that keys have.
  enum Tag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case sequence = 0x30
    /// PKCS#8's `[0]`.
    case attributes = 0xa0
    /// PKCS#8's `[1]`, a BIT STRING.
    case publicKey = 0x81
    /// ECPrivateKey's `[1]`, around a BIT STRING.
    case explicitPublicKey = 0xa1

    /// ECPrivateKey's `[0]`.
    static var parameters: Tag { .attributes }
  }

  private var rest: Range<Int>

  /// Stands before the first of the elements that have these places.
  init(_ range: Range<Int>) { rest = range }

  /// Whether there is no more.
  var isAtEnd: Bool { rest.isEmpty }

  /// The place of the next element's contents, which it steps over; null, and no step, if it has another
  /// tag or is not whole.
  mutating func next(_ tag: Tag, of bytes: Span<UInt8>) -> Range<Int>? {
    guard rest.count >= 2, bytes[rest.lowerBound] == tag.rawValue else { return nil }
    var start = rest.lowerBound + 2
    var count = Int(bytes[start - 1])
    if count >= 0x80 {
      let size = count - 0x80
      guard (1...2).contains(size), rest.upperBound - start >= size else { return nil }
      count = (start..<start + size).reduce(0) { $0 << 8 | Int(bytes[$1]) }
      guard count >= (size == 1 ? 0x80 : 0x100) else { return nil }
      start += size
    }
    guard rest.upperBound - start >= count else { return nil }
    rest = start + count..<rest.upperBound
    return start..<start + count
  }
}
