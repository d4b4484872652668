/// Base64url without padding (RFC 4648, section 5), in canonical form only.
public enum Base64URL {
  /// Encodes `bytes`; the result has ceil(4 n / 3) characters.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    let count = encodedSize(of: bytes.count)
    return unsafe String(unsafeUninitializedCapacity: count) { text in
      unsafe encode(bytes, into: text)
      return count
    }
  }

  /// Appends the encoding of `bytes` to `text`, whose capacity the caller reserved if the bytes are secret.
  package static func append(_ bytes: Span<UInt8>, to text: inout [UInt8]) {
    let start = text.count
    text.append(contentsOf: repeatElement(0, count: encodedSize(of: bytes.count)))
    unsafe text.withUnsafeMutableBufferPointer { text in
      unsafe encode(bytes, into: UnsafeMutableBufferPointer(rebasing: text[start...]))
    }
  }

  /// The number of characters that `count` bytes take.
  public static func encodedSize(of count: Int) -> Int { (4 * count + 2) / 3 }

  /// Decodes `text`.
  ///
  /// - Throws: ``Base64URLError``, which names the first fault: a padding character, a character outside the
  ///   alphabet, an impossible length, or trailing bits that are not zero.
  public static func decode(_ text: String) throws(Base64URLError) -> [UInt8] {
    var text = text
    return try text.withUTF8 { text in
      Result { () throws(Base64URLError) in try decode(unsafe Span(_unsafeElements: text)) }
    }.get()
  }

  /// Decodes ASCII `text`, as ``decode(_:)-(String)``.
  ///
  /// - Throws: ``Base64URLError``.
  package static func decode(_ text: Span<UInt8>) throws(Base64URLError) -> [UInt8] {
    if let bytes = decodeFlawless(text) { return bytes }
    var bytes: [UInt8] = []
    try decode(text) { bytes.append($0) }  // throws the exact error
    return bytes
  }

  /// Decodes ASCII `text` and passes each byte to `yield`.
  ///
  /// - Throws: ``Base64URLError``; the caller must then discard the bytes it received.
  package static func decode(_ text: Span<UInt8>, to yield: (UInt8) -> Void) throws(Base64URLError) {
    var pending: UInt32 = 0
    var bitCount = 0
    for index in text.indices {
      guard let value = value(of: text[index]) else {
        throw Base64URLError(reason: .init(character: text[index]), offset: index)
      }
      pending = pending << 6 | UInt32(value)
      bitCount += 6
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      yield(UInt8(truncatingIfNeeded: pending >> UInt32(bitCount)))
      pending &= (1 << UInt32(bitCount)) - 1
    }
    guard bitCount < 6 else { throw Base64URLError(reason: .impossibleLength, offset: text.count) }
    guard pending == 0 else { throw Base64URLError(reason: .trailingBits, offset: text.count - 1) }
  }

  /// Writes the encoding of `bytes` into memory of exactly its size.
  ///
  /// It first splits the bytes into groups of six bits, six bytes at a time, and then turns these into characters in a
  /// loop that the compiler can vectorize.
  @unsafe private static func encode(_ bytes: Span<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) {
    let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      let input = UnsafeRawBufferPointer(bytes)
      let output = UnsafeMutableRawBufferPointer(text)
      var group = 0
      while 3 * group + 8 <= input.count {  // eight bytes are read, and six used
        let word = unsafe input.loadUnaligned(fromByteOffset: 3 * group, as: UInt64.self)
        let sixes = sixBitGroups(of: UInt64(bigEndian: word) >> 16)
        unsafe output.storeBytes(of: sixes.bigEndian, toByteOffset: 4 * group, as: UInt64.self)
        group += 2
      }
      for group in group..<groups {
        let (first, second, third) = unsafe (bytes[3 * group], bytes[3 * group + 1], bytes[3 * group + 2])
        unsafe text[4 * group] = first >> 2
        unsafe text[4 * group + 1] = (first << 4 | second >> 4) & 0x3f
        unsafe text[4 * group + 2] = (second << 2 | third >> 6) & 0x3f
        unsafe text[4 * group + 3] = third & 0x3f
      }
    }
    if rest > 0 {
      let (first, second) = (bytes[3 * groups], rest == 2 ? bytes[3 * groups + 1] : 0)
      unsafe text[4 * groups] = first >> 2
      unsafe text[4 * groups + 1] = (first << 4 | second >> 4) & 0x3f
      if rest == 2 { unsafe text[4 * groups + 2] = second << 2 & 0x3f }
    }
    for place in 0..<encodedSize(of: bytes.count) { unsafe text[place] = character(of: text[place]) }
  }

  /// Spreads the lower 48 bits over eight bytes, six bits to each.
  private static func sixBitGroups(of bits: UInt64) -> UInt64 {
    let halves = (bits & 0xffff_ff00_0000) << 8 | bits & 0xff_ffff
    let quarters = (halves & 0x00ff_f000_00ff_f000) << 4 | halves & 0x0000_0fff_0000_0fff
    return (quarters & 0x0fc0_0fc0_0fc0_0fc0) << 2 | quarters & 0x003f_003f_003f_003f
  }

  /// The character for six bits, in constant time: the input may be a private key, so there is no table and no branch.
  private static func character(of value: UInt8) -> UInt8 {
    // Each step applies to the values at or above its bound: A…Z, a…z, 0…9, -, _.
    var character = value &+ 65
    character &+= isAtLeast(26, value: value) & 6
    character &-= isAtLeast(52, value: value) & 75
    character &-= isAtLeast(62, value: value) & 13
    character &+= isAtLeast(63, value: value) & 49
    return character
  }

  /// All ones if `value`, which is below 64, is at least `bound`, otherwise zero.
  private static func isAtLeast(_ bound: UInt8, value: UInt8) -> UInt8 {
    0 &- ((value &+ (128 - bound)) >> 7)
  }

  /// The bytes of a valid text, or nil if it is not valid.
  ///
  /// 32 characters at a time become 24 bytes, in constant time for all characters of the alphabet.
  private static func decodeFlawless(_ text: Span<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    let size = 3 * text.count / 4
    var hasFlaw = false
    // The last block may be longer than the rest of the text, and each store writes two bytes more than it needs to.
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size + 26) { bytes, written in
      let output = UnsafeMutableRawBufferPointer(bytes)
      var flaws = Block()
      var end = 0
      for position in stride(from: 0, to: text.count, by: 32) {
        let sixes = sixBits(of: block(of: text, from: position), flaws: &flaws)
        let bits = bits(ofGroups: sixes) &<< 16
        for word in bits.indices {
          unsafe output.storeBytes(of: bits[word].bigEndian, toByteOffset: end, as: UInt64.self)
          end += 6
        }
      }
      hasFlaw = (flaws[0] | flaws[1] | flaws[2] | flaws[3]) != 0
      // The last character's unused bits, and everything after them, must be zero.
      for place in size..<end where unsafe bytes[place] != 0 { hasFlaw = true }
      written = size
    }
    return hasFlaw ? nil : bytes
  }

  /// Four words of eight characters or bytes each, the first in the highest byte.
  private typealias Block = SIMD4<UInt64>

  /// The next 32 characters; after the end of the text each is an A, which decodes to zeros.
  @inline(__always)
  private static func block(of text: Span<UInt8>, from position: Int) -> Block {
    var block = Block()
    for word in block.indices {
      let start = position + 8 * word
      guard start + 8 > text.count else {
        block[word] = unsafe text.bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self).bigEndian
        continue
      }
      block[word] = 0x4141_4141_4141_4141
      for place in start..<max(start, text.count) {
        let shift = UInt64(56 - 8 * (place - start))
        block[word] ^= UInt64(text[place] ^ UInt8(ascii: "A")) &<< shift
      }
    }
    return block
  }

  /// The lower six bits of each of eight bytes, side by side: the inverse of ``sixBitGroups(of:)``.
  @inline(__always)
  private static func bits(ofGroups groups: Block) -> Block {
    let quarters = groups &>> 2 & 0x0fc0_0fc0_0fc0_0fc0 | groups & 0x003f_003f_003f_003f
    let halves = quarters &>> 4 & 0x00ff_f000_00ff_f000 | quarters & 0x0000_0fff_0000_0fff
    return halves &>> 8 & 0xffff_ff00_0000 | halves & 0xff_ffff
  }

  /// The six bits of each character; sets a bit of `flaws` for each character that is not in the alphabet.
  ///
  /// Takes constant time: it has no table and no branch. A byte carries into the next one only if a character is not
  /// ASCII, which is a flaw.
  @inline(__always)
  private static func sixBits(of characters: Block, flaws: inout Block) -> Block {
    // The highest bit of each byte tells whether the character is at least `bound`.
    func isAtLeast(_ bound: UInt64) -> Block { characters &+ each &* (0x80 - bound) }
    let (hyphen, digit, upper) = (isAtLeast(45), isAtLeast(48), isAtLeast(65))
    let (underscore, lower) = (isAtLeast(95), isAtLeast(97))
    let isGood =
      hyphen & ~isAtLeast(46) | digit & ~isAtLeast(58) | upper & ~isAtLeast(91)
      | underscore & ~isAtLeast(96) | lower & ~isAtLeast(123)
    flaws |= (characters | ~isGood) & (each &* 0x80)
    // Each step applies to the characters at or above its bound: -, 0…9, A…Z, _, a…z.
    var values = characters &+ each &* 17
    values &-= amount(13, where: digit)
    values &-= amount(69, where: upper)
    values &+= amount(33, where: underscore)
    values &-= amount(39, where: lower)
    return values
  }

  /// The amount, below 128, in each byte whose highest bit is set, otherwise zero.
  @inline(__always)
  private static func amount(_ amount: UInt64, where flags: Block) -> Block {
    let ones = flags &>> 7 & each
    // Seven ones, or zero.
    return (ones &<< 7 &- ones) & (each &* amount)
  }

  /// 1 in each of eight bytes.
  private static let each: UInt64 = 0x0101_0101_0101_0101

  /// The six bits of a character, or nil if it is not in the alphabet.
  private static func value(of character: UInt8) -> UInt8? {
    var flaws = Block()
    let values = sixBits(of: Block(repeating: UInt64(character) &* each), flaws: &flaws)
    return flaws == Block() ? UInt8(truncatingIfNeeded: values[0]) : nil
  }
}

/// Why a text is not valid base64url, and at which byte.
///
/// Most reasons name a common mistake of senders: wrapped lines, the standard alphabet, padding.
public struct Base64URLError: Error, Equatable, Sendable {
  /// The kinds of fault.
  public enum Reason: String, Sendable {
    /// A `=`.
    case padding
    /// A `+` or `/`: the text is in the standard alphabet.
    case standardAlphabet = "standard-alphabet"
    /// A space, a tab or a line break: the text was wrapped, or a `+` was turned into a space.
    case whitespace
    /// Any other character.
    case foreignCharacter = "foreign-character"
    /// The length is one more than a multiple of four: the text was truncated.
    case impossibleLength = "impossible-length"
    /// The last character has unused bits that are not zero.
    case trailingBits = "trailing-bits"

    init(character: UInt8) {
      switch character {
      case UInt8(ascii: "="): self = .padding
      case UInt8(ascii: "+"), UInt8(ascii: "/"): self = .standardAlphabet
      case UInt8(ascii: " "), 0x09, 0x0a, 0x0d: self = .whitespace
      default: self = .foreignCharacter
      }
    }
  }

  /// Why the text is not valid.
  public let reason: Reason

  /// The offset of the first invalid byte, from 0.
  public let offset: Int
}

extension Base64URLError: CustomStringConvertible {
  /// The reason and the offset.
  public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
