internal import PushCrypto
internal import PushCore

/// A Zulip client's registration for APNs: a device token that only the push service may read.
///
/// CryptoKit has no XSalsa20, so registrations are sealed on Linux, and on a Mac with the package's trait `Sodium`.
public struct ZulipRegistration: Sendable, Equatable {
  /// The device token from the client's system, in hexadecimal ASCII.
  public let token: String

  /// When the system issued the token, in whole seconds since 1970.
  public let timestamp: Int64

  /// The app's bundle identifier.
  public let appID: String

  /// Creates a registration.
  public init(token: String, timestamp: Int64, appID: String) {
    self.token = token
    self.timestamp = timestamp
    self.appID = appID
  }

  /// `token_id`: base64 of the first 8 bytes of the token's SHA-256.
  public var tokenID: String {
    let text = Array(token.utf8)
    let digest = SHA256.digest(text.span)
    return StandardBase64.text(of: digest.span.extracting(0..<8))
  }

  /// `encrypted_push_registration`: base64 of a sealed box for the push service, whose key is built into the app.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if the registration is longer than
  ///   ``SodiumSealedBox/maximumPlaintextSize``, `EnvelopeFormatError.unavailable`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public func sealed(to service: SodiumRecipient) throws(EnvelopeFormatError) -> String {
    let registration: JSONObject = [
      "token_kind": "apns", "token": .string(token), "timestamp": .number(JSONNumber(timestamp)),
      "ios_app_id": .string(appID),
    ]
    var plaintext = registration.encoded()
    defer { plaintext.wipe() }
    return try SodiumSealedBox.seal(plaintext.span, to: service)
  }
}
