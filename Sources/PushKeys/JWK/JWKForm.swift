internal import PushEnvelope

/// How a JWK represents a kind of key (RFC 7517, 4; RFC 7518, 6; RFC 8037, 2).
enum JWKForm: Hashable, Sendable {
  /// An octet key pair (RFC 8037, 2).
  case okp(curve: String)

  /// A key pair on a curve, whose public key is an uncompressed point: 0x04 | x | y (RFC 7518, 6.2).
  case ec(curve: String)

  /// A symmetric key (RFC 7518, 6.4).
  case oct

  /// `kty`.
  var type: String {
    switch self {
    case .okp: "OKP"
    case .ec: "EC"
    case .oct: "oct"
    }
  }

  /// `crv`; nil for a symmetric key.
  var curve: String? {
    switch self {
    case .okp(let curve), .ec(let curve): curve
    case .oct: nil
    }
  }

  /// The member with the private or symmetric key.
  var secretMember: KeyMember { self == .oct ? .sharedKey : .privateKey }

  /// The members that hold the public key, after `kty`, in lexicographic order.
  func members(of publicKey: [UInt8]) -> [(KeyMember, String)] {
    switch self {
    case .okp(let curve): return [(.curve, curve), (.x, Base64URL.encode(publicKey.span))]
    case .ec(let curve):
      let (x, y) = (publicKey[1...publicKey.count / 2], publicKey[(publicKey.count / 2 + 1)...])
      return [(.curve, curve), (.x, Base64URL.encode(x.span)), (.y, Base64URL.encode(y.span))]
    case .oct: return []
    }
  }

  /// The members that a thumbprint covers (RFC 7638, 3.2), in lexicographic order.
  func requiredMembers(of publicKey: [UInt8]) -> [(name: String, value: String)] {
    (members(of: publicKey) + [(.type, type)]).map { ($0.rawValue, $1) }.sorted { $0.0 < $1.0 }
  }

  /// The serialized public key of `size` bytes in the string members.
  ///
  /// - Throws: ``KeySetError``, naming the invalid member.
  func publicKey(of texts: [KeyMember: String], size: Int, _ check: MemberCheck) throws(KeySetError)
    -> [UInt8]
  {
    switch self {
    case .okp:
      let x = try check.bytes(.x, texts, count: size)
      guard texts[.y] == nil else { throw check.invalid(.y) }
      return x
    case .ec:
      // SEC 1, 2.3.3: an uncompressed point is 04, x, y.
      let x = try check.bytes(.x, texts, count: size / 2)
      return [0x04] + x + (try check.bytes(.y, texts, count: size / 2))
    case .oct: throw check.invalid(.type)
    }
  }
}
