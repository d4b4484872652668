import PushCrypto
import PushCore
import PushKeys

extension Harness {
  /// Key files of every kind: a set that loads can be saved, and loads again as the same.
  static let keys = Harness(name: "keys") { bytes in
    try checkPrivateSet(bytes)
    try checkPublicSet(bytes)
    try checkPrivateKey(bytes)
    if let encrypted = withDigest(bytes) { try checkEncrypted(encrypted) }
  }

  private static func checkPrivateSet(_ bytes: [UInt8]) throws {
    guard let set = try? KeySet(parsing: bytes.span) else { return }
    let text = set.encoded()
    let again = try KeySet(parsing: text.span)
    try require(again.encoded() == text, "a set that was written reads the same")
    try require(again.records == set.records && again.serial == set.serial, "nothing is lost of a set")
    let temporary = try TemporaryFile()
    let file = KeyFile(path: temporary.path)
    try file.create(set)
    try require(try file.load().encoded() == text, "a set that was saved loads the same")
    for record in set.records {
      _ = set.deviceKey(for: record.id.keyID, at: Keys.now)
      try checkExport(set, record.id)
    }
    if let publicKeys = try? set.publicKeys { try checkPublicSet(publicKeys.encoded()) }
  }

  private static func checkPublicSet(_ bytes: [UInt8]) throws {
    guard let set = try? PublicKeySet(parsing: bytes.span) else { return }
    let text = set.encoded()
    let again = try PublicKeySet(parsing: text.span)
    try require(again == set && again.encoded() == text, "a public set that was written reads the same")
    _ = try? set.recipient(at: Keys.now)
  }

  /// A key in each of the formats of other programs.
  private static func checkExport(_ set: KeySet, _ id: Thumbprint) throws {
    guard let key = set.privateKey(for: id) else { return }
    for format in [KeyFormat.raw, .pem, .jwk] {
      try key.withEncodedBytes(as: format) { text in
        let again = try PrivateKey(parsing: text, as: format, algorithm: key.algorithm)
        try require(again.thumbprint == id, "a key that was exported reads the same")
      }
    }
  }

  private static func checkPrivateKey(_ bytes: [UInt8]) throws {
    for format in [KeyFormat.pem, .jwk] {
      guard let key = try? PrivateKey(parsing: bytes.span, as: format, algorithm: .x25519) else { continue }
      let set = KeySet(importing: key, at: Keys.now)
      try require(set.records.contains { $0.id == key.thumbprint }, "an imported key is in its set")
      try checkExport(set, key.thumbprint)
    }
  }

  /// Checks that an encrypted set is refused without a passphrase, whatever it contains.
  private static func checkEncrypted(_ bytes: [UInt8]) throws {
    let temporary = try TemporaryFile()
    try temporary.fill(bytes)
    let path = temporary.path
    try require((try? KeyFile(path: path).load()) == nil, "an encrypted set needs its passphrase")
    try require((try? PublicKeyFile(path: path).load()) == nil, "an encrypted set is not public")
  }

  /// An encrypted set with the right digest; nil for anything else.
  private static func withDigest(_ bytes: [UInt8]) -> [UInt8]? {
    guard var object = try? JSONObject(parsing: bytes.span), let header = object["encrypted"]?.object,
      let ciphertext = object["ciphertext"]?.string.flatMap({ try? Base64URL.decode($0) })
    else { return nil }
    let digest = SHA256.digest((header.encoded() + ciphertext).span)
    object["sha256"] = .string(Base64URL.encode(digest.span))
    return object.encoded()
  }
}
