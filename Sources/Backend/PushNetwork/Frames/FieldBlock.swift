internal import CNGHTTP2

/// A message's fields for nghttp2, with all their bytes in one array; nghttp2 copies them.
struct FieldBlock {
  private struct Field {
    let nameSize: Int
    let valueSize: Int
    let isSecret: Bool
  }

  /// The most bytes that nghttp2 takes, counting 32 more for each field.
  private static let maximumSize = 64 << 10

  private var bytes: [UInt8] = []
  private var fields: [Field] = []

  /// The fields of a request, after its pseudo-headers (RFC 9113, 8.3.1); nil if they have a byte that is not allowed,
  /// or are too large.
  init?(_ request: HTTP2Request, authority: String) {
    reserve(fields: request.fields.count + 4, bytes: 512)
    add(name: ":method", value: request.method)
    guard !request.method.isEmpty, lastValue.allSatisfy(Self.isVisible) else { return nil }
    add(name: ":scheme", value: "https")
    add(name: ":authority", value: authority)
    add(name: ":path", value: request.path, isSecret: true)
    guard lastValue.first == UInt8(ascii: "/"), lastValue.allSatisfy(Self.isVisible) else { return nil }
    for field in request.fields {
      add(name: field.name, value: field.value, isSecret: field.isSecret)
      guard isLastValid else { return nil }
    }
    guard bytes.count + 32 * fields.count <= Self.maximumSize else { return nil }
  }

  /// The fields of an answer.
  init(_ response: HTTP2Response) {
    reserve(fields: response.fields.count + 1, bytes: 128)
    add(name: ":status", value: String(response.status))
    for field in response.fields { add(name: field.name, value: field.value, isSecret: field.isSecret) }
  }

  private mutating func reserve(fields count: Int, bytes size: Int) {
    fields.reserveCapacity(count)
    bytes.reserveCapacity(size)
  }

  private mutating func add(name: String, value: String, isSecret: Bool = false) {
    let start = bytes.count
    bytes.append(contentsOf: name.utf8)
    let middle = bytes.count
    bytes.append(contentsOf: value.utf8)
    fields.append(Field(nameSize: middle - start, valueSize: bytes.count - middle, isSecret: isSecret))
  }

  private var lastValue: ArraySlice<UInt8> { bytes.suffix(fields.last?.valueSize ?? 0) }

  /// Whether the last field has a lowercase name, and a value without line breaks and other controls.
  private var isLastValid: Bool {
    guard let field = fields.last, field.nameSize > 0 else { return false }
    let value = bytes.count - field.valueSize
    for byte in bytes[value - field.nameSize..<value] where !Self.isNameByte(byte) { return false }
    for byte in bytes[value...] where byte < 0x20 && byte != 0x09 || byte == 0x7f { return false }
    return true
  }

  private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isVisible(byte) && !(0x41...0x5a).contains(byte) && byte != UInt8(ascii: ":")
  }

  /// Calls `call` with the fields, which are valid only during the call.
  @unsafe func withPointer(_ call: (UnsafePointer<nghttp2_nv>?, Int) -> Int32) -> Int32 {
    // nghttp2 does not change them.
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count) { pairs in
        var next = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
        for (index, field) in fields.enumerated() {
          let flags = field.isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
          unsafe pairs.initializeElement(
            at: index,
            to: nghttp2_nv(
              name: next, value: next.map { unsafe $0 + field.nameSize }, namelen: field.nameSize,
              valuelen: field.valueSize, flags: UInt8(flags.rawValue)))
          unsafe next = next.map { unsafe $0 + field.nameSize + field.valueSize }
        }
        return unsafe call(pairs.baseAddress, fields.count)
      }
    }
  }
}
