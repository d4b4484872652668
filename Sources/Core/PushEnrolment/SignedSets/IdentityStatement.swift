internal import PushCore
internal import PushKeys

/// What a device's identity signs besides its keys: a ``Leave``, a ``Receipt``, or its
/// ``DeviceTokens`` (FORMAT.md, section 11).
///
/// It is a JSON object with `v` and one more member, a JWS.
struct IdentityStatement {
  /// What it says; the raw value is the member that has it.
  enum Kind: String {
    case leave
    case receipt
    case tokens

    /// The `typ` of its header.
    var type: String { "sealed-push-\(rawValue)+jws" }

    /// The error if the object around it is malformed.
    fileprivate var malformed: SignedSetError {
      switch self {
      case .leave: .malformedLeave
      case .receipt: .malformedReceipt
      case .tokens: .malformedTokens
      }
    }
  }

  /// The maximum size, in bytes: 32 KiB.
  static let maximumSize = 1 << 15

  let topic: Topic
  let audience: Audience
  let identity: PublicKey
  let issuedAt: UnixTime
  /// All claims.
  let claims: JSONObject
  /// The JWS.
  let signed: String

  /// Parses a statement for any backend, and verifies its signature; its own claims are not read yet.
  ///
  /// - Throws: ``SignedSetError``.
  init(verifying json: Span<UInt8>, as kind: Kind) throws(SignedSetError) {
    guard json.count <= Self.maximumSize else { throw .tooLarge }
    guard let object = try? JSONObject(parsing: json) else { throw kind.malformed }
    guard object["v"]?.number?.integer == 1 else { throw .unsupportedVersion }
    guard object.count == 2, let text = object[kind.rawValue]?.string else { throw kind.malformed }
    try self.init(signed: text, as: kind)
  }

  /// Verifies the signature of a statement's JWS; its own claims are not read yet.
  ///
  /// - Throws: ``SignedSetError``.
  init(signed text: String, as kind: Kind) throws(SignedSetError) {
    let bytes = Array(text.utf8)
    let jws = try CompactJWS(parsing: bytes.span)
    let member = try SignedSetHeader.member(.identity, of: jws.header, type: kind.type)
    identity = try SignedSetHeader.identity(from: member)
    guard jws.isSigned(by: identity) else { throw .badSignature }
    guard let claims = try? JSONObject(parsing: jws.payload.span) else { throw .malformedClaims }
    guard claims["v"]?.number?.integer == 1 else { throw .unsupportedVersion }
    guard let topic = claims["topic"]?.string.flatMap({ try? Topic($0) }),
      let issuedAt = claims["iat"]?.number?.integer.flatMap(UnixTime.init(seconds:)),
      let audience = claims["audience"]?.string.flatMap({ try? Audience($0) })
    else { throw .malformedClaims }
    (self.topic, self.issuedAt, self.audience, self.claims, signed) = (
      topic, issuedAt, audience, claims, text
    )
  }

  /// Signs claims, and returns the JWS.
  static func sign(_ claims: JSONObject, as kind: Kind, with key: SigningKey) -> String {
    let header = SignedSetHeader.make(.identity, with: key.publicKey, type: kind.type)
    return CompactJWS.sign(claims, header: header, with: key)
  }

  /// A statement as one line of JSON, without a line feed.
  static func encode(_ signed: String, as kind: Kind) -> [UInt8] {
    let object: JSONObject = ["v": 1, kind.rawValue: .string(signed)]
    return object.encoded()
  }
}
