/// The DER encoding of a kind of key in PKCS#8 (RFC 5958) and SubjectPublicKeyInfo (RFC 5280, 4.1).
package struct PKCS8Form: Hashable, Sendable {
  /// The contents of the private key's octet string.
  enum Contents {
    /// The key in another octet string (RFC 8410, 7).
    case octetString
    /// An ECPrivateKey (RFC 5915).
    case ecPrivateKey
  }

  /// The DER of the AlgorithmIdentifier (RFC 8410, 3; RFC 5480, 2.1.1).
  let algorithm: [UInt8]
  let contents: Contents

  /// The encoding of X25519 keys (RFC 8410).
  static let x25519 = PKCS8Form(
    algorithm: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e], contents: .octetString)

  /// The encoding of Ed25519 keys (RFC 8410).
  static let ed25519 = PKCS8Form(
    algorithm: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70], contents: .octetString)

  /// The encoding of P-256 keys (RFC 5480, 5915), with public keys as uncompressed points.
  static let p256 = PKCS8Form(
    algorithm: [0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01] + p256Curve,
    contents: .ecPrivateKey)

  /// The object identifier of P-256, with its tag: 1.2.840.10045.3.1.7.
  fileprivate static let p256Curve: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]

  /// Encodes a private key, in an array that the caller wipes.
  func encoded(privateKey: Span<UInt8>, publicKey: Span<UInt8>) -> [UInt8] {
    // The bytes before and after the key, built from the inside out.
    var head = Self.head(0x04, count: privateKey.count)
    var tail: [UInt8] = []
    if contents == .ecPrivateKey {
      // version 1, the key, and the point in a bit string
      let bits = Self.head(0x03, count: publicKey.count + 1) + [0x00] + [UInt8](copying: publicKey)
      tail = Self.head(0xa1, count: bits.count) + bits
      head = [0x02, 0x01, 0x01] + head
      head = Self.head(0x30, count: head.count + privateKey.count + tail.count) + head
    }
    // version 0, the algorithm, and all of that in an octet string
    head = Self.head(0x04, count: head.count + privateKey.count + tail.count) + head
    head = [0x02, 0x01, 0x00] + algorithm + head
    head = Self.head(0x30, count: head.count + privateKey.count + tail.count) + head
    return [UInt8](concatenating: head.span, privateKey, tail.span)
  }

  /// Encodes a public key.
  func encoded(publicKey: Span<UInt8>) -> [UInt8] {
    // the algorithm, and a bit string without unused bits
    let contents =
      algorithm + Self.head(0x03, count: publicKey.count + 1) + [0x00] + [UInt8](copying: publicKey)
    return Self.head(0x30, count: contents.count) + contents
  }

  /// The tag and the length of an element with fewer than 256 bytes.
  private static func head(_ tag: UInt8, count: Int) -> [UInt8] {
    count < 0x80 ? [tag, UInt8(count)] : [tag, 0x81, UInt8(count)]
  }
}

/// The positions of the keys in a DER-encoded PKCS#8 structure (RFC 5958).
struct PKCS8 {
  /// The kind of key; `nil` if it is not supported.
  let kind: (any KeyKind)?

  /// The private key's range.
  ///
  /// A P-256 key may be shorter than its full length if leading zeros were omitted.
  let privateKey: Range<Int>

  /// The ranges of the public keys that are stored with the private key.
  let publicKeys: [Range<Int>]

  /// Reads the structure.
  ///
  /// Returns `nil` unless it is complete and nothing follows it.
  init?(_ bytes: Span<UInt8>, among kinds: [any KeyKind]) {
    var whole = DERCursor(bytes.indices)
    guard let contents = whole.next(.sequence, of: bytes), whole.isAtEnd else { return nil }
    var info = DERCursor(contents)
    guard let version = info.next(.integer, of: bytes), let algorithm = info.next(.sequence, of: bytes),
      let key = info.next(.octetString, of: bytes)
    else { return nil }
    if let attributes = info.next(.attributes, of: bytes) {
      var cursor = DERCursor(attributes)
      while !cursor.isAtEnd { guard cursor.next(.sequence, of: bytes) != nil else { return nil } }
    }
    var outer: [Range<Int>] = []
    if let field = info.next(.publicKey, of: bytes) {
      guard let publicKey = Self.wholeBytes(field, of: bytes) else { return nil }
      outer = [publicKey]
    }
    // Version 1 has a public key, version 0 has none.
    guard info.isAtEnd, bytes.extracting(version).hasBytes([outer.isEmpty ? 0 : 1]) else { return nil }
    let kind = kinds.first { kind in
      kind.pkcs8.map { bytes.extracting(algorithm).hasBytes(Array($0.algorithm.dropFirst(2))) } ?? false
    }
    switch kind?.pkcs8?.contents {
    case nil:
      privateKey = key
      publicKeys = outer
    case .ecPrivateKey:
      guard let (scalar, inner) = Self.ecKeys(key, of: bytes) else { return nil }
      privateKey = scalar
      publicKeys = outer + inner
    case .octetString:
      var cursor = DERCursor(key)
      guard let secret = cursor.next(.octetString, of: bytes), secret.count == kind?.privateKeySize,
        cursor.isAtEnd
      else { return nil }
      privateKey = secret
      publicKeys = outer
    }
    self.kind = kind
  }

  /// Reads an ECPrivateKey (RFC 5915), whose curve the outer algorithm identifier names.
  private static func ecKeys(_ key: Range<Int>, of bytes: Span<UInt8>) -> (Range<Int>, [Range<Int>])? {
    var whole = DERCursor(key)
    guard let contents = whole.next(.sequence, of: bytes), whole.isAtEnd else { return nil }
    var parts = DERCursor(contents)
    guard let version = parts.next(.integer, of: bytes), bytes.extracting(version).hasBytes([1]),
      let scalar = parts.next(.octetString, of: bytes), (1...P256.privateKeySize).contains(scalar.count)
    else { return nil }
    if let curve = parts.next(.parameters, of: bytes) {
      guard bytes.extracting(curve).hasBytes(PKCS8Form.p256Curve) else { return nil }
    }
    guard let field = parts.next(.explicitPublicKey, of: bytes) else {
      return parts.isAtEnd ? (scalar, []) : nil
    }
    var cursor = DERCursor(field)
    guard let bits = cursor.next(.bitString, of: bytes), cursor.isAtEnd, parts.isAtEnd,
      let point = wholeBytes(bits, of: bytes)
    else { return nil }
    return (scalar, [point])
  }

  /// Returns the range of a BIT STRING's bytes.
  ///
  /// The first byte, which counts unused bits, must be 0.
  private static func wholeBytes(_ bits: Range<Int>, of bytes: Span<UInt8>) -> Range<Int>? {
    guard let first = bits.first, bytes[first] == 0 else { return nil }
    return bits.dropFirst()
  }
}

/// A position among DER elements (X.690), in bytes that each call passes.
private struct DERCursor {
  /// The tags that occur in keys.
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

  /// Starts before the first element in the range.
  init(_ range: Range<Int>) { rest = range }

  /// Whether no elements are left.
  var isAtEnd: Bool { rest.isEmpty }

  /// Returns the range of the next element's contents and steps over the element.
  ///
  /// Returns `nil`, without a step, if the element has another tag or is incomplete.
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
