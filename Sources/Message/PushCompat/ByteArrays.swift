public import PushCore

// What takes a span takes an array too: before iOS 26 and macOS 26, an app's arrays have no `span`.

extension OpenSSLSalted {
  /// Makes the format of a password in an array, as in a span.
  public static func unauthenticated(
    password: [UInt8], derivation: Derivation = .pbkdf2, member: EnvelopeKey = .default
  ) -> OpenSSLSalted? {
    unauthenticated(password: password.span, derivation: derivation, member: member)
  }

  /// Opens an array's bytes, as a span's.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func open(bytes: [UInt8]) throws(EnvelopeFormatError) -> [UInt8] { try open(bytes: bytes.span) }

  /// Seals an array's bytes, as a span's.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func seal(_ plaintext: [UInt8]) throws(EnvelopeFormatError) -> String { try seal(plaintext.span) }

  /// Seals an array's bytes, as a span's.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func sealedBytes(of plaintext: [UInt8]) throws(EnvelopeFormatError) -> [UInt8] {
    try sealedBytes(of: plaintext.span)
  }
}

extension Bark {
  /// Makes the format of a key in an array, as in a span.
  public static func unauthenticatedCBC(key: [UInt8], initializationVector: [UInt8]? = nil) -> Bark? {
    unauthenticatedCBC(key: key.span, initializationVector: initializationVector)
  }

  /// Makes the format of a key in an array, as in a span.
  public static func gcm(key: [UInt8], initializationVector: [UInt8]? = nil) -> Bark? {
    gcm(key: key.span, initializationVector: initializationVector)
  }

  /// Makes the format of a key in an array, as in a span.
  public static func unauthenticatedECB(key: [UInt8]) -> Bark? { unauthenticatedECB(key: key.span) }
}

extension HomeAssistantKey {
  /// Makes the key of a secret in an array, as in a span.
  public static func hexadecimal(secret: [UInt8]) -> HomeAssistantKey? { hexadecimal(secret: secret.span) }

  /// Makes the key of a secret in an array, as in a span.
  public static func truncated(secret: [UInt8]) -> HomeAssistantKey? { truncated(secret: secret.span) }
}

extension SodiumSealedBox {
  /// Makes the format of a private key in an array, as in a span.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public init?(privateKey: [UInt8], member: String = Self.defaultMember) {
    self.init(privateKey: privateKey.span, member: member)
  }

  /// Seals an array's bytes, as a span's.
  ///
  /// - Throws: `EnvelopeFormatError`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public static func seal(
    _ plaintext: [UInt8], to recipient: SodiumRecipient
  ) throws(EnvelopeFormatError) -> String {
    try seal(plaintext.span, to: recipient)
  }
}

extension SodiumRecipient {
  /// Takes a public key in an array, as in a span.
  public init?(publicKey: [UInt8]) { self.init(publicKey: publicKey.span) }
}

extension WebPush {
  /// Seals an array's bytes, as a span's.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public static func seal(
    _ plaintext: [UInt8], to subscription: WebPushSubscription, padding: Int = 0
  ) throws(EnvelopeFormatError) -> [UInt8] {
    try seal(plaintext.span, to: subscription, padding: padding)
  }
}

extension WebPushCarriage {
  /// The members that carry a body in an array, as in a span.
  public func members(of body: [UInt8]) -> JSONObject { members(of: body.span) }
}

extension WebPushSubscription {
  /// Takes a subscription's keys in arrays, as in spans.
  public init?(publicKey: [UInt8], authenticationSecret: [UInt8]) {
    self.init(publicKey: publicKey.span, authenticationSecret: authenticationSecret.span)
  }
}

extension WebPushKeys {
  /// Takes keys in arrays, as in spans.
  public init?(privateKey: [UInt8], authenticationSecret: [UInt8]) {
    self.init(privateKey: privateKey.span, authenticationSecret: authenticationSecret.span)
  }
}

extension Zulip {
  /// Seals an array's bytes, as a span's.
  ///
  /// - Throws: `EnvelopeFormatError`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public static func seal(_ plaintext: [UInt8], with key: ZulipKey) throws(EnvelopeFormatError) -> JSONObject
  {
    try seal(plaintext.span, with: key)
  }
}

extension ZulipKey {
  /// Takes a push key in an array, as in a span.
  public init?(id: UInt32, pushKey: [UInt8]) { self.init(id: id, pushKey: pushKey.span) }
}
