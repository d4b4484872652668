internal import PushCrypto
internal import PushPayload
public import PushReceiver

/// What a Zulip client registers for APNs: a device token, which only the push service may read.
///
/// CryptoKit has no XSalsa20, so registrations are sealed on Linux only.
public struct ZulipRegistration: Sendable, Equatable {
  /// The device token, as the client's system gave it out: ASCII, hexadecimal.
  public let token: String

  /// When it was given out, in whole seconds since 1970.
  public let timestamp: Int64

  /// The app's bundle identifier.
  public let appID: String

  /// Makes a registration.
  public init(token: String, timestamp: Int64, appID: String) {
    self.token = token
    self.timestamp = timestamp
    self.appID = appID
  }

  /// `token_id`: base64 of the first 8 bytes of the token's SHA-256.
  public var tokenID: String {
    let text = Array(token.utf8)
    let digest = SHA256.digest(text.span)
    return String(
      decoding: StandardBase64.encode(digest.span.extracting(0..<8)), as: UTF8.self)
  }

  /// `encrypted_push_registration`: base64 of a sealed box for the push service, whose key the app has built in.
  ///
  /// - Throws: `EnvelopeFormatError.tooLarge` if it is longer than
  ///   ``SodiumSealedBox/maximumPlaintextSize``, `EnvelopeFormatError.unavailable`.
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
