package import PushCrypto

/// A Zulip client's push key, `push_key`, with the number it is known by, `push_key_id`.
public struct ZulipKey: Sendable {
  /// The number, which the client draws at random.
  public let id: UInt32

  /// The 32 bytes.
  let secret: SharedSecret

  /// The byte that says the algorithm, before the key in a registration.
  private static let tag: UInt8 = 0x31
  private static let textSize = 44

  /// Draws a number and a key.
  public init() { self.init(random: SystemRandom()) }

  /// The same with numbers of `random`: the id's 4 bytes, then the key's 32.
  package init(random: some RandomSource) {
    var id = [UInt8](repeating: 0, count: 4)
    var bytes = id.mutableSpan
    random.fill(&bytes)
    self.id = id.reduce(0) { $0 << 8 | UInt32($1) }
    secret = SharedSecret(random.secret(XSalsa20Poly1305.keySize, in: .guarded))
  }

  /// Reads `push_key` as a registration has it, in ASCII: base64 of 0x31 and 32 bytes; null for anything else.
  public init?(id: UInt32, pushKey: Span<UInt8>) {
    guard pushKey.count == Self.textSize, var bytes = StandardBase64.decode(pushKey) else { return nil }
    defer { bytes.wipe() }
    guard bytes.count == 1 + XSalsa20Poly1305.keySize, bytes[0] == Self.tag else { return nil }
    self.id = id
    secret = SharedSecret(Secret(copying: bytes.span.extracting(1..<bytes.count), in: .guarded))
  }

  /// Calls `body` with `push_key`, 44 characters of ASCII, which are wiped afterwards.
  public func withExposedPushKey<Result>(_ body: (Span<UInt8>) throws -> Result) rethrows -> Result {
    let tagged = Secret(count: 1 + XSalsa20Poly1305.keySize) { bytes in
      bytes[0] = Self.tag
      let key = secret.exposedBytes
      for index in key.indices { bytes[1 + index] = key[index] }
    }
    var text = StandardBase64.encode(tagged.exposedBytes)
    defer { text.wipe() }
    return try body(text.span)
  }
}
