/// The computations of the made-up KEM, which anybody can make who has the public key.
enum MadeUpBackend {
  /// `count` bytes that follow from `seed`.
  static func expand(_ seed: Span<UInt8>, _ count: Int) -> [UInt8] {
    let hmac = HMACSHA256()
    let key = HKDFSHA256.extract(salt: Span(), by: hmac) { $0.update(seed) }
    let bytes = HKDFSHA256.expand(key.exposedBytes, count: count, by: hmac) { $0.update("made up") }
    return [UInt8](copying: bytes.exposedBytes)
  }

  /// The shared secret of an encapsulated key and a public key.
  static func secret(_ enc: Span<UInt8>, _ publicKey: Span<UInt8>) -> Secret {
    HKDFSHA256.extract(salt: publicKey, by: HMACSHA256()) { $0.update(enc) }
  }
}
