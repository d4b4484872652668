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
    let bytes = Array(text.utf8)
    return try decode(bytes.span)
  }

  /// Decodes ASCII `text`, as ``decode(_:)-(String)``.
  ///
  /// - Throws: ``Base64URLError``.
  package static func decode(_ text: Span<UInt8>) throws(Base64URLError) -> [UInt8] {
    if let bytes = decodeFlawless(text) { return bytes }
    var bytes: [UInt8] = []
    try decode(text) { bytes.append($0) }  // names the flaw
    return bytes
  }

  /// Decodes ASCII `text` and passes each byte to `yield`.
  ///
  /// - Throws: ``Base64URLError``; the caller must then discard the bytes it received.
  package static func decode(_ text: Span<UInt8>, _ yield: (UInt8) -> Void) throws(Base64URLError) {
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
  /// It first splits the bytes into groups of six bits and then turns these into characters, so that the compiler
  /// can vectorize both loops.
  @unsafe private static func encode(_ bytes: Span<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>) {
    let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
    unsafe bytes.withUnsafeBufferPointer { bytes in
      for group in 0..<groups {
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

  /// The character for six bits, in constant time: the input may be a private key, so there is no table and no branch.
  private static func character(of value: UInt8) -> UInt8 {
    // Each step applies to the values at or above its bound: A…Z, a…z, 0…9, -, _.
    var character = value &+ 65
    character &+= isAtLeast(26, value) & 6
    character &-= isAtLeast(52, value) & 75
    character &-= isAtLeast(62, value) & 13
    character &+= isAtLeast(63, value) & 49
    return character
  }

  /// All ones if `value`, which is below 64, is at least `bound`, otherwise zero.
  private static func isAtLeast(_ bound: UInt8, _ value: UInt8) -> UInt8 {
    0 &- ((value &+ (128 - bound)) >> 7)
  }

  /// All ones if `value` is at least `bound`, otherwise zero.
  private static func isAtLeast(_ bound: Int16, _ value: UInt8) -> Int16 {
    ~((Int16(value) &- bound) &>> 15)
  }

  /// The bytes of a valid text, or nil if it is not valid.
  ///
  /// It first turns every character into six bits, in a loop that the compiler can vectorize.
  private static func decodeFlawless(_ text: Span<UInt8>) -> [UInt8]? {
    let count = text.count
    guard count % 4 != 1 else { return nil }
    var areGood = Int16(-1)
    // Zeros at the end fill the last group.
    let sixes = unsafe [UInt8](unsafeUninitializedCapacity: count + 3) { sixes, written in
      unsafe text.withUnsafeBufferPointer { text in
        for index in 0..<count {
          let (value, isGood) = unsafe sixBits(of: text[index])
          unsafe sixes[index] = UInt8(truncatingIfNeeded: value)
          areGood &= isGood
        }
      }
      for index in count..<count + 3 { unsafe sixes[index] = 0 }
      written = count + 3
    }
    guard areGood != 0, hasNoTrailingBits(sixes, count) else { return nil }
    return unsafe [UInt8](unsafeUninitializedCapacity: 3 * (count + 3) / 4) { bytes, written in
      var position = 0
      for index in stride(from: 0, to: count, by: 4) {
        unsafe bytes[position] = sixes[index] << 2 | sixes[index + 1] >> 4
        unsafe bytes[position + 1] = sixes[index + 1] << 4 | sixes[index + 2] >> 2
        unsafe bytes[position + 2] = sixes[index + 2] << 6 | sixes[index + 3]
        position += 3
      }
      written = 3 * count / 4
    }
  }

  /// Whether the unused bits of the last of `count` characters are zero.
  private static func hasNoTrailingBits(_ sixes: [UInt8], _ count: Int) -> Bool {
    switch count % 4 {
    case 2: sixes[count - 1] & 0x0f == 0
    case 3: sixes[count - 1] & 0x03 == 0
    default: true
    }
  }

  /// The six bits of a character, or nil if it is not in the alphabet.
  private static func value(of character: UInt8) -> UInt8? {
    let (value, isGood) = sixBits(of: character)
    return isGood == 0 ? nil : UInt8(truncatingIfNeeded: value)
  }

  /// The six bits of a character, and all ones if it is in the alphabet, otherwise zero.
  ///
  /// Constant time for all characters of the alphabet: no table, and no branch. The operators do not check for
  /// overflow because none is possible.
  private static func sixBits(of character: UInt8) -> (value: Int16, isGood: Int16) {
    let code = Int16(character)
    let isUpper = isBetween(65, 90, character)
    let isLower = isBetween(97, 122, character)
    let isDigit = isBetween(48, 57, character)
    let isHyphen = isBetween(45, 45, character)
    let isUnderscore = isBetween(95, 95, character)
    let letter = isUpper & (code &- 65) | isLower & (code &- 71)
    let other = isDigit & (code &+ 4) | isHyphen & 62 | isUnderscore & 63
    return (letter | other, isUpper | isLower | isDigit | isHyphen | isUnderscore)
  }

  /// All ones if `value` is from `low` to `high`, otherwise zero.
  private static func isBetween(_ low: Int16, _ high: Int16, _ value: UInt8) -> Int16 {
    isAtLeast(low, value) & ~isAtLeast(high &+ 1, value)
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
    /// One character too many or too few: the text was truncated.
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
