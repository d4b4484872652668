/// How a plaintext is padded, so that its length leaks little about its content.
public enum Padding: String, Sendable, CaseIterable {
  /// Pads to the smallest of 256, 512, 1024 and 2048 bytes that fits, otherwise to the capacity. The default.
  case buckets

  /// Pads to the capacity, so that all messages have the same length.
  case maximum

  /// Adds one byte only: the length of the content leaks.
  case none

  /// The first byte of the padding (ISO/IEC 7816-4); zeros follow.
  static let marker: UInt8 = 0x80

  private static let bucketSizes = [256, 512, 1024, 2048]

  /// The padded size of a plaintext of `size` bytes, which include one byte of padding; nil if it exceeds `capacity`.
  public func paddedSize(of size: Int, capacity: Int) -> Int? {
    guard size <= capacity else { return nil }
    return switch self {
    case .buckets: Self.bucketSizes.first { size <= $0 && $0 <= capacity } ?? capacity
    case .maximum: capacity
    case .none: size
    }
  }

  /// The plaintext without its padding.
  @_lifetime(copy plaintext)
  static func removed(from plaintext: Span<UInt8>) throws(SealedContentError) -> Span<UInt8> {
    var end = plaintext.count
    while end > 0, plaintext[end - 1] == 0 { end -= 1 }
    guard end > 0, plaintext[end - 1] == marker else { throw .badPadding }
    return plaintext.extracting(first: end - 1)
  }
}
