/// Where the keys are in PKCS#8 (RFC 5958), which is in DER.
struct PKCS8 {
  /// What it is of; null for a kind that has no use here.
  let kind: PEM.Kind?

  /// The private key's place: 32 bytes; of P-256 fewer, if its writer left zeros out at the start.
  let privateKey: Range<Int>

  /// The places of the public keys that stand beside it.
  let publicKeys: [Range<Int>]

  /// Reads it; null unless it is that and no more.
  init?(_ bytes: Span<UInt8>) {
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
    // The version says whether there is one.
    guard info.isAtEnd, bytes.extracting(version).hasBytes([outer.isEmpty ? 0 : 1]) else { return nil }
    kind = PEM.Kind.allCases.first {
      bytes.extracting(algorithm).hasBytes(Array($0.algorithm.dropFirst(2)))
    }
    switch kind {
    case nil: (privateKey, publicKeys) = (key, outer)
    case .p256:
      guard let (scalar, inner) = Self.ecKeys(key, of: bytes) else { return nil }
      (privateKey, publicKeys) = (scalar, outer + inner)
    case .x25519, .ed25519:
      var cursor = DERCursor(key)
      guard let seed = cursor.next(.octetString, of: bytes), seed.count == 32, cursor.isAtEnd else {
        return nil
      }
      (privateKey, publicKeys) = (seed, outer)
    }
  }

  /// An ECPrivateKey (RFC 5915), whose curve was named outside.
  private static func ecKeys(_ key: Range<Int>, of bytes: Span<UInt8>) -> (Range<Int>, [Range<Int>])? {
    var whole = DERCursor(key)
    guard let contents = whole.next(.sequence, of: bytes), whole.isAtEnd else { return nil }
    var parts = DERCursor(contents)
    guard let version = parts.next(.integer, of: bytes), bytes.extracting(version).hasBytes([1]),
      let scalar = parts.next(.octetString, of: bytes), (1...P256.privateKeySize).contains(scalar.count)
    else { return nil }
    if let curve = parts.next(.parameters, of: bytes) {
      guard bytes.extracting(curve).hasBytes(PEM.Kind.curve) else { return nil }
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

  /// A BIT STRING's bytes, whose first byte is the number of bits that the last one has not: none here.
  private static func wholeBytes(_ bits: Range<Int>, of bytes: Span<UInt8>) -> Range<Int>? {
    guard let first = bits.first, bytes[first] == 0 else { return nil }
    return bits.dropFirst()
  }
}

extension PEM.Kind {
  /// The object identifier of P-256, with its tag: 1.2.840.10045.3.1.7.
  fileprivate static let curve: [UInt8] = [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
}

extension Span<UInt8> {
  fileprivate func hasBytes(_ bytes: [UInt8]) -> Bool {
    count == bytes.count && indices.allSatisfy { self[$0] == bytes[$0] }
  }
}
