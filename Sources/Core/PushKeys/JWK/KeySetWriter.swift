internal import PushCrypto
internal import PushCore

/// Writes a JWK Set, one key per line.
enum KeySetWriter {
  /// An upper bound for a key's line: 320 bytes for names, `kid` and three times, and the key itself.
  private static func lineSize(for algorithm: KeyAlgorithm) -> Int {
    let publicKeySize = algorithm.pair?.publicKeySize ?? 0
    return 320 + Base64URL.encodedSize(of: publicKeySize) + Base64URL.encodedSize(of: algorithm.secretSize)
  }

  /// The set as JSON, in an array that never reallocates.
  ///
  /// Each secret is encoded straight into it. `v` comes first, so that a reader recognizes a newer version before it
  /// checks anything else.
  static func encode(
    _ keys: [(KeyRecord, StoredSecret?)], role: KeyRole, serial: Int64? = nil
  ) -> [UInt8] {
    var text: [UInt8] = []
    let size = keys.reduce(128) { $0 + lineSize(for: $1.0.algorithm) }
    text.reserveCapacity(size)
    text += #"{"v":1,"#.utf8
    if let name = role.name { text += #""role":"\#(name)","#.utf8 }
    if let serial { text += #""serial":\#(serial),"#.utf8 }
    text += #""keys":["#.utf8
    for (index, (record, secret)) in keys.enumerated() {
      text += (index == 0 ? "\n" : ",\n").utf8
      append(record, secret: secret, to: &text)
    }
    text += "\n]}\n".utf8
    precondition(text.count <= size, "a line is longer than its bound")
    return text
  }

  /// A single key as JSON, without its life, in an array that never reallocates.
  static func encode(_ publicKey: PublicKey, secret: StoredSecret?) -> [UInt8] {
    var text: [UInt8] = []
    let size = lineSize(for: publicKey.algorithm)
    text.reserveCapacity(size)
    appendKey(
      algorithm: publicKey.algorithm, publicKey: publicKey, secret: secret, id: publicKey.thumbprint,
      to: &text)
    text += "}\n".utf8
    precondition(text.count <= size, "a key is longer than its bound")
    return text
  }

  private static func append(_ record: KeyRecord, secret: StoredSecret?, to text: inout [UInt8]) {
    appendKey(
      algorithm: record.algorithm, publicKey: record.publicKey, secret: secret, id: record.id, to: &text)
    append(record.life, isPrivate: secret != nil, to: &text)
    text += #","status":"\#(record.life.status.rawValue)"}"#.utf8
  }

  /// Appends the members that never change, without the closing brace.
  private static func appendKey(
    algorithm: KeyAlgorithm, publicKey: PublicKey?, secret: StoredSecret?, id: Thumbprint,
    to text: inout [UInt8]
  ) {
    text += #"{"kty":"\#(algorithm.jwk.type)""#.utf8
    if let publicKey { append(publicKey, to: &text) }
    if let secret { append(secret, as: algorithm.jwk.secretMember, to: &text) }
    text += #","kid":"\#(id.text)","use":"\#(algorithm.role.use)","alg":"\#(algorithm.rawValue)""#.utf8
  }

  private static func append(_ publicKey: PublicKey, to text: inout [UInt8]) {
    for (member, value) in publicKey.algorithm.jwk.members(of: publicKey.bytes) {
      text += #","\#(member.rawValue)":"\#(value)""#.utf8
    }
  }

  private static func append(_ secret: StoredSecret, as member: KeyMember, to text: inout [UInt8]) {
    text += #","\#(member.rawValue)":""#.utf8
    secret.withExposedBytes { Base64URL.append($0, to: &text) }
    text.append(UInt8(ascii: "\""))
  }

  private static func append(_ life: KeyLife, isPrivate: Bool, to text: inout [UInt8]) {
    // Second 0 means that a public key has no `iat`.
    if isPrivate || life.issuedAt.seconds > 0 { text += #","iat":\#(life.issuedAt.seconds)"#.utf8 }
    if let time = life.notBefore { text += #","nbf":\#(time.seconds)"#.utf8 }
    if let time = life.expiresAt { text += #","exp":\#(time.seconds)"#.utf8 }
  }
}
