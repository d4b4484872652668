import PushCrypto
import Testing

/// PKCS#8 in the forms that other programs write, and in forms that are forbidden.
struct PEMFormsTests {
  private static let p256 = PEMTests.examples[0]
  private static let x25519 = PEMTests.examples[1]
  private static let scalar = bytes(p256.secret)
  private static let point = bytes(p256.point)
  private static let curve: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]

  private static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
    [tag] + (contents.count < 0x80 ? [] : [0x81]) + [UInt8(contents.count)] + contents
  }

  /// A key of P-256, with what stands behind the scalar and behind the key.
  private static func p256(
    version: UInt8 = 0, scalar: [UInt8] = scalar, inner: [UInt8]? = nil, outer: [UInt8] = []
  ) -> [UInt8] {
    let field = inner.map { element(0xa1, element(0x03, $0)) } ?? []
    let key = element(0x30, [0x02, 0x01, 0x01] + element(0x04, scalar) + field)
    let algorithm = element(0x30, [0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01] + curve)
    return element(0x30, [0x02, 0x01, version] + algorithm + element(0x04, key) + outer)
  }

  /// A key of X25519, with what stands behind it.
  private static func x25519(version: UInt8 = 0, _ rest: [UInt8]) -> [UInt8] {
    let key = element(0x04, element(0x04, bytes(x25519.secret)))
    return element(0x30, [0x02, 0x01, version, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e] + key + rest)
  }

  private static func text(_ der: [UInt8]) -> String {
    "-----BEGIN PRIVATE KEY-----\n\(base64(der))\n-----END PRIVATE KEY-----\n"
  }

  private func read(_ text: String) -> Result<[UInt8], PEMError> {
    Result { () throws(PEMError) in exposed(try PEM.PrivateKey(Array(text.utf8).span).secret) }
  }

  private static let compressed = [2 | point[64] & 1] + point[1...32]
  private static let otherParity = [3 - point[64] & 1] + point[1...32]

  @Test(arguments: [
    p256(), p256(inner: [0] + point), p256(inner: [0] + compressed),
    p256(version: 1, outer: element(0x81, [0] + point)),
    p256(version: 1, inner: [0] + compressed, outer: element(0x81, [0] + point)),
    p256(outer: element(0xa0, element(0x30, [0x05, 0x00]))),
  ])
  func `is read whatever form its public half has`(der: [UInt8]) {
    #expect(read(Self.text(der)) == .success(Self.scalar))
  }

  @Test func `zeros at the start of a scalar may be left out`() {
    #expect(read(Self.text(Self.p256(scalar: [5]))) == .success([UInt8](repeating: 0, count: 31) + [5]))
  }

  @Test func `a byte order mark and indented lines do not matter`() {
    let text = Self.text(Self.p256()).replacing("\nM", with: "\n \tM")
    #expect(read("\u{feff}" + text) == .success(Self.scalar))
  }

  @Test(arguments: [
    p256(inner: [0] + otherParity), p256(inner: [0] + point.dropLast() + [point[64] ^ 1]),
    p256(version: 1, outer: element(0x81, [0] + point.dropLast() + [point[64] ^ 1])),
    p256(version: 1, inner: [0] + point, outer: element(0x81, [0] + otherParity)),
    x25519(version: 1, element(0x81, [0] + bytes(x25519.secret))),
  ])
  func `another public half is noticed wherever it stands`(der: [UInt8]) {
    #expect(read(Self.text(der)) == .failure(.mismatch))
  }

  @Test(arguments: [
    p256(inner: [0, 6 | point[64] & 1] + point.dropFirst()), p256(inner: [1] + point), p256(inner: []),
    p256(inner: [0]), p256(scalar: []), p256(scalar: [0] + scalar), p256(version: 1),
    p256(outer: element(0x81, [0] + point)), p256(outer: [0xa0, 0x02, 0xff, 0xff]),
    x25519(version: 1, element(0x81, [7] + bytes(x25519.point))), x25519(version: 1, element(0x81, [])),
    x25519([0xa0, 0x02, 0xff, 0xff]), x25519([0x05, 0x00]),
  ])
  func `what no key has is malformed`(der: [UInt8]) {
    #expect(read(Self.text(der)) == .failure(.malformed))
  }

  @Test func `lines before an empty one are a header, or nothing`() {
    let line = base64(Self.p256())
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----\n")
    #expect(read("\(begin)Comment: a key\n\n\(line)\(end)") == .success(Self.scalar))
    #expect(read("\(begin)\(line)\n\n\(line)\(end)") == .failure(.malformed))
  }
}

private func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[start + $1]) : 0) }
    for index in 0..<4 { text.append(index <= group.count ? alphabet[bits >> (18 - 6 * index) & 63] : "=") }
  }
  return text
}
