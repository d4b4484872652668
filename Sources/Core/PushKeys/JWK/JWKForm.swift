internal import PushCore

/// How a JWK represents a kind of key (RFC 7517, 4; RFC 7518, 6; RFC 8037, 2; RFC 9964, 3).
package enum JWKForm: Hashable, Sendable {
  /// An octet key pair (RFC 8037, 2).
  case okp(curve: String)

  /// A key pair on a curve, whose public key is an uncompressed point: 0x04 | x | y (RFC 7518, 6.2).
  case ec(curve: String)

  /// A key pair of the algorithm that `alg` names (RFC 9964, 3). X-Wing's private key is its seed.
  case akp(algorithm: String)

  /// A symmetric key (RFC 7518, 6.4).
  case oct

  /// `kty`.
  package var type: String {
    switch self {
    case .okp: "OKP"
    case .ec: "EC"
    case .akp: "AKP"
    case .oct: "oct"
    }
  }

  /// `crv`; nil for a key that has no curve.
  package var curve: String? {
    switch self {
    case .okp(let curve), .ec(let curve): curve
    case .akp, .oct: nil
    }
  }

  /// The member with the private or symmetric key.
  var secretMember: KeyMember {
    switch self {
    case .okp, .ec: .privateKey
    case .akp: .seed
    case .oct: .sharedKey
    }
  }

  /// The member that an error names if the public key is invalid.
  var publicMember: KeyMember {
    switch self {
    case .okp, .ec, .oct: .x
    case .akp: .publicKey
    }
  }

  /// Whether `alg` is required, because nothing else says what the key is for.
  var needsAlgorithm: Bool {
    guard case .akp = self else { return false }
    return true
  }

  /// The members that hold the public key, after `kty`, in lexicographic order.
  func members(of publicKey: [UInt8]) -> [(KeyMember, String)] {
    requiredMembers(of: publicKey).filter { member, _ in member != .type && member != .algorithm }
  }

  /// The members that a thumbprint covers (RFC 7638, 3.2; RFC 9964, 6), in lexicographic order.
  package func requiredMembers(of publicKey: [UInt8]) -> [(KeyMember, String)] {
    switch self {
    case .okp(let curve): return [(.curve, curve), (.type, type), (.x, Base64URL.encode(publicKey.span))]
    case .ec(let curve):
      let (x, y) = (publicKey[1...publicKey.count / 2], publicKey[(publicKey.count / 2 + 1)...])
      return [
        (.curve, curve), (.type, type), (.x, Base64URL.encode(x.span)), (.y, Base64URL.encode(y.span)),
      ]
    case .akp(let algorithm):
      return [(.algorithm, algorithm), (.type, type), (.publicKey, Base64URL.encode(publicKey.span))]
    case .oct: return [(.type, type)]
    }
  }

  /// The serialized public key of `size` bytes in the string members.
  ///
  /// - Throws: ``KeySetError``, naming the invalid member.
  func publicKey(in texts: MemberValues<String>, size: Int, check: MemberCheck) throws(KeySetError)
    -> [UInt8]
  {
    switch self {
    case .okp:
      let x = try check.bytes(of: .x, in: texts, count: size)
      try check.refuse([.y, .publicKey], in: texts)
      return x
    case .ec:
      // SEC 1, 2.3.3: an uncompressed point is 04, x, y.
      let x = try check.bytes(of: .x, in: texts, count: size / 2)
      let y = try check.bytes(of: .y, in: texts, count: size / 2)
      try check.refuse([.publicKey], in: texts)
      return [0x04] + x + y
    case .akp:
      let bytes = try check.bytes(of: .publicKey, in: texts, count: size)
      try check.refuse([.x, .y], in: texts)
      return bytes
    case .oct: throw check.invalid(.type)
    }
  }
}
