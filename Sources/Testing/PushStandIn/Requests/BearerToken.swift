internal import PushCore

/// A provider token, read without checking its signature: a JWT (Apple, "Establishing a token-based connection to
/// APNs").
struct BearerToken: Equatable {
  /// How long a token is valid, in seconds.
  static let lifetime: Int64 = 3600

  /// The text before the token in the header `authorization`.
  static let scheme = "bearer "

  /// The most bytes of a token: valid ones have about 200.
  private static let maximumSize = 1024

  let keyID: String
  let teamID: String
  let issuedAt: Int64
  /// The signed text: header and claims, as they are written.
  let signedText: String
  let signature: [UInt8]

  /// Reads a token; nil if it is not one.
  init?(_ text: Substring) {
    guard text.utf8.count <= Self.maximumSize else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let header = Self.object(in: parts[0]), let claims = Self.object(in: parts[1]),
      let signature = try? Base64URL.decode(parts[2]), signature.count == ProviderKey.signatureSize,
      header["alg"]?.string == "ES256", let keyID = header["kid"]?.string, Self.isIdentifier(keyID),
      let teamID = claims["iss"]?.string, Self.isIdentifier(teamID),
      let issuedAt = claims["iat"]?.number?.wholeSeconds
    else { return nil }
    self.keyID = keyID
    self.teamID = teamID
    self.issuedAt = issuedAt
    self.signature = signature
    signedText = "\(parts[0]).\(parts[1])"
  }

  /// The token in a request; nil if there is none.
  init?(of request: APNsRequest) {
    guard let value = request["authorization"], Self.isPresent(in: request) else { return nil }
    self.init(value.dropFirst(Self.scheme.count))
  }

  /// Whether a request has the header for the token, valid or not.
  static func isPresent(in request: APNsRequest) -> Bool {
    guard let value = request["authorization"], value.utf8.count > scheme.utf8.count else { return false }
    return value.prefix(scheme.count).lowercased() == scheme
  }

  /// Whether the token was made more than an hour ago.
  func isExpired(at now: UnixTime) -> Bool { issuedAt < now.seconds - Self.lifetime }

  /// Whether the token was made in the future, beyond the tolerance for clocks.
  func isFromFuture(at now: UnixTime) -> Bool { issuedAt > now.seconds + Self.clockTolerance }

  /// How far ahead the provider's clock may be, in seconds.
  private static let clockTolerance: Int64 = 300

  private static func object(in part: String) -> JSONObject? {
    guard let bytes = try? Base64URL.decode(part) else { return nil }
    return try? JSONObject(parsing: bytes.span)
  }

  /// Whether a text is one of Apple's identifiers of keys and teams: ten letters and digits.
  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count == 10
      && text.utf8.allSatisfy { $0 < 0x80 && Character(Unicode.Scalar($0)).isLetterOrDigit }
  }
}

extension JSONNumber {
  /// A time's whole seconds: a NumericDate may have a fraction (RFC 7519, 2); nil if it does not fit.
  fileprivate var wholeSeconds: Int64? {
    integer ?? double.flatMap { Int64(exactly: $0.rounded(.down)) }
  }
}

extension Character {
  fileprivate var isLetterOrDigit: Bool { isLetter || isNumber }
}
