/// Why a text is not a value such as a device token or a key's ID.
///
/// The error contains no part of the text, which may be secret.
public struct ValueError: Error, Equatable, Sendable {
  /// The kind of value that was expected, such as `device token`.
  public let value: String

  /// The form of such a value's text, such as `8 bytes in base64url, 11 characters`.
  public let rule: String

  /// The offset of the first byte that breaks the rule, from 0; nil if the whole text does, for example by its length.
  public let offset: Int?

  package init(_ value: String, is rule: String, notAt offset: Int? = nil) {
    self.value = value
    self.rule = rule
    self.offset = offset
  }
}

extension ValueError: CustomStringConvertible {
  /// The expected form, and the place of the first byte that breaks it.
  public var description: String {
    "not a \(value), which is \(rule)\(offset.map { ": wrong at byte \($0)" } ?? "")"
  }
}

extension Base64URL {
  /// Decodes the text of a value, which has exactly `count` characters.
  static func decode(
    _ text: Span<UInt8>, count: Int, as value: String, is rule: @autoclosure () -> String
  ) throws(ValueError) -> [UInt8] {
    guard text.count == count else { throw ValueError(value, is: rule()) }
    do throws(Base64URLError) {
      return try decode(text)
    } catch {
      throw ValueError(value, is: rule(), notAt: error.offset)
    }
  }
}
