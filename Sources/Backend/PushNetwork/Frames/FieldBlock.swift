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
  /// Fields that come after these.
  private var common: CommonFields?

  /// The fields of a request, after its pseudo-headers (RFC 9113, 8.3.1); nil if they have a byte that is not allowed,
  /// or are too large.
  init?(_ request: HTTP2Request, authority: String) {
    reserve(fields: request.fields.count + 4, bytes: 512)
    add(name: ":method", value: request.method)
    guard !request.method.isEmpty, isLastVisible else { return nil }
    add(name: ":scheme", value: "https")
    add(name: ":authority", value: authority)
    add(name: ":path", value: request.path, isSecret: true)
    guard request.path.utf8.first == UInt8(ascii: "/"), isLastVisible, add(request.fields) else { return nil }
    common = request.common
    guard common == nil || common?.block != nil, size <= Self.maximumSize else { return nil }
  }

  /// Fields without pseudo-headers; nil if they have a byte that is not allowed, or are too large.
  init?(checking fields: [HTTPField]) {
    guard add(fields), size <= Self.maximumSize else { return nil }
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

  /// Adds fields; false if one of them has a byte that is not allowed.
  private mutating func add(_ fields: [HTTPField]) -> Bool {
    for field in fields {
      add(name: field.name, value: field.value, isSecret: field.isSecret)
      guard isLastValid else { return false }
    }
    return true
  }

  /// The bytes that count towards nghttp2's limit.
  private var size: Int { bytes.count + 32 * fields.count + (common?.block?.size ?? 0) }

  /// Whether the last field's value is visible ASCII.
  private var isLastVisible: Bool {
    let (bytes, size) = (bytes.span, fields.last?.valueSize ?? 0)
    for index in bytes.count - size..<bytes.count where !Self.isVisible(bytes[index]) { return false }
    return true
  }

  /// Whether the last field has a lowercase name, and a value without line breaks and other controls.
  private var isLastValid: Bool {
    guard let field = fields.last, field.nameSize > 0 else { return false }
    let bytes = bytes.span
    let value = bytes.count - field.valueSize
    for index in value - field.nameSize..<value where !Self.isNameByte(bytes[index]) { return false }
    for index in value..<bytes.count {
      let byte = bytes[index]
      if byte < 0x20 && byte != 0x09 || byte == 0x7f { return false }
    }
    return true
  }

  private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7e).contains(byte) }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    isVisible(byte) && !(0x41...0x5a).contains(byte) && byte != UInt8(ascii: ":")
  }

  /// Calls `call` with the fields, which are valid only during the call.
  @unsafe func withPointer(_ call: (UnsafePointer<nghttp2_nv>?, Int) -> Int32) -> Int32 {
    let count = fields.count + (common?.block?.fields.count ?? 0)
    return unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: count) { pairs in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe initialize(pairs, from: 0, with: bytes)
        guard let block = common?.block else { return unsafe call(pairs.baseAddress, count) }
        return unsafe block.bytes.withUnsafeBufferPointer { bytes in
          unsafe block.initialize(pairs, from: fields.count, with: bytes)
          return unsafe call(pairs.baseAddress, count)
        }
      }
    }
  }

  @unsafe private func initialize(
    _ pairs: UnsafeMutableBufferPointer<nghttp2_nv>, from first: Int, with bytes: UnsafeBufferPointer<UInt8>
  ) {
    // nghttp2 does not change them.
    var next = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
    for (index, field) in fields.enumerated() {
      let flags = field.isSecret ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE
      unsafe pairs.initializeElement(
        at: first + index,
        to: nghttp2_nv(
          name: next, value: next.map { unsafe $0 + field.nameSize }, namelen: field.nameSize,
          valuelen: field.valueSize, flags: UInt8(flags.rawValue)))
      unsafe next = next.map { unsafe $0 + field.nameSize + field.valueSize }
    }
  }
}
