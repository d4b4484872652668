/// What is wrong with a base64url text, and at which byte.
///
/// Most reasons name an accident that a sender has had: wrapped lines, the standard alphabet, padding.
public struct Base64URLError: Error, Equatable, Sendable {
  /// The kinds of fault.
  public enum Reason: String, Sendable {
    /// A `=`.
    case padding
    /// A `+` or `/`: the text is in the standard alphabet.
    case standardAlphabet = "standard-alphabet"
    /// A space, a tab or a line break: the text was wrapped, or `+` became a space on the way.
    case whitespace
    /// Any other character.
    case foreignCharacter = "foreign-character"
    /// One character too many or too few: the text was cut.
    case impossibleLength = "impossible-length"
    /// The last character has bits set that belong to no byte.
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

  /// What is wrong.
  public let reason: Reason

  /// The offset of the byte at fault, from 0.
  public let offset: Int
}

extension Base64URLError: CustomStringConvertible {
  /// The reason and the offset.
  public var description: String { "\(reason.rawValue) at byte \(offset)" }
}
