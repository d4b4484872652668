public import PushCore

// Overloads that take an array in place of a span: before iOS 26 and macOS 26, arrays have no `span`.

extension OpenSSLSalted {
  /// Makes the format with a password from an array.
  public static func unauthenticated(
    password: [UInt8], derivation: Derivation = .pbkdf2, member: EnvelopeKey = .default
  ) -> OpenSSLSalted? {
    unauthenticated(password: password.span, derivation: derivation, member: member)
  }

  /// Opens an envelope in an array.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func open(bytes: [UInt8]) throws(EnvelopeFormatError) -> [UInt8] { try open(bytes: bytes.span) }

  /// Seals a plaintext in an array.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func seal(_ plaintext: [UInt8]) throws(EnvelopeFormatError) -> String { try seal(plaintext.span) }

  /// Seals a plaintext in an array.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public func sealedBytes(of plaintext: [UInt8]) throws(EnvelopeFormatError) -> [UInt8] {
    try sealedBytes(of: plaintext.span)
  }
}

extension Bark {
  /// Makes the format with a key from an array.
  public static func unauthenticatedCBC(key: [UInt8], initializationVector: [UInt8]? = nil) -> Bark? {
    unauthenticatedCBC(key: key.span, initializationVector: initializationVector)
  }

  /// Makes the format with a key from an array.
  public static func gcm(key: [UInt8], initializationVector: [UInt8]? = nil) -> Bark? {
    gcm(key: key.span, initializationVector: initializationVector)
  }

  /// Makes the format with a key from an array.
  public static func unauthenticatedECB(key: [UInt8]) -> Bark? { unauthenticatedECB(key: key.span) }
}

extension HomeAssistantKey {
  /// Derives the key from a secret in an array.
  public static func hexadecimal(secret: [UInt8]) -> HomeAssistantKey? { hexadecimal(secret: secret.span) }

  /// Derives the key from a secret in an array.
  public static func truncated(secret: [UInt8]) -> HomeAssistantKey? { truncated(secret: secret.span) }
}

extension SodiumSealedBox {
  /// Makes the format with a private key from an array.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public init?(privateKey: [UInt8], member: String = Self.defaultMember) {
    self.init(privateKey: privateKey.span, member: member)
  }

  /// Seals a plaintext in an array.
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
  /// Takes a public key from an array.
  public init?(publicKey: [UInt8]) { self.init(publicKey: publicKey.span) }
}

extension WebPush {
  /// Seals a plaintext in an array.
  ///
  /// - Throws: `EnvelopeFormatError`.
  public static func seal(
    _ plaintext: [UInt8], to subscription: WebPushSubscription, padding: Int = 0
  ) throws(EnvelopeFormatError) -> [UInt8] {
    try seal(plaintext.span, to: subscription, padding: padding)
  }
}

extension WebPushCarriage {
  /// The members that carry a body, which is in an array.
  public func members(of body: [UInt8]) -> JSONObject { members(of: body.span) }
}

extension WebPushSubscription {
  /// Takes a subscription's keys from arrays.
  public init?(publicKey: [UInt8], authenticationSecret: [UInt8]) {
    self.init(publicKey: publicKey.span, authenticationSecret: authenticationSecret.span)
  }
}

extension WebPushKeys {
  /// Takes keys from arrays.
  public init?(privateKey: [UInt8], authenticationSecret: [UInt8]) {
    self.init(privateKey: privateKey.span, authenticationSecret: authenticationSecret.span)
  }
}

extension Zulip {
  /// Seals a plaintext in an array.
  ///
  /// - Throws: `EnvelopeFormatError`.
  @available(iOS, unavailable, message: "iOS has no XSalsa20-Poly1305")
  public static func seal(_ plaintext: [UInt8], with key: ZulipKey) throws(EnvelopeFormatError) -> JSONObject
  {
    try seal(plaintext.span, with: key)
  }
}

extension ZulipKey {
  /// Takes a push key from an array.
  public init?(id: UInt32, pushKey: [UInt8]) { self.init(id: id, pushKey: pushKey.span) }
}
