/// How a plaintext is filled up, so that its length says little about its content.
public enum Padding: String, Sendable, CaseIterable {
  /// To the smallest of 256, 512, 1024 and 2048 bytes that holds it, else to all there is. The default.
  case buckets

  /// To all there is: every message looks the same.
  case maximum

  /// One byte only: the length shows.
  case none

  /// The first byte of the padding (ISO/IEC 7816-4); zeros follow.
  static let marker: UInt8 = 0x80

  private static let bucketSizes = [256, 512, 1024, 2048]

  /// The size to fill a plaintext of `size` bytes (one byte of padding included) up to; null if it does not fit.
  public func paddedSize(of size: Int, capacity: Int) -> Int? {
    guard size <= capacity else { return nil }
    return switch self {
    case .buckets: Self.bucketSizes.first { size <= $0 && $0 <= capacity } ?? capacity
    case .maximum: capacity
    case .none: size
    }
  }

  /// The plaintext without its padding.
  static func removed(from plaintext: Span<UInt8>) throws(SealedContentError) -> [UInt8] {
    var end = plaintext.count
    while end > 0, plaintext[end - 1] == 0 { end -= 1 }
    guard end > 0, plaintext[end - 1] == marker else { throw .badPadding }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(end - 1)
    for index in 0..<end - 1 { bytes.append(plaintext[index]) }
    return bytes
  }
}
