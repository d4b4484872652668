internal import PushCrypto
internal import PushCore

/// Writes a JWK Set, one key per line.
enum KeySetWriter {
  /// An upper bound for a key's line: 320 bytes for names, `kid` and three times, and the key itself.
  private static func lineSize(for algorithm: KeyAlgorithm, _ material: KeyMaterial?) -> Int {
    let publicKeySize = algorithm.pair?.publicKeySize ?? 0
    let materialSize =
      if case .hardware(let key) = material { key.handle.count } else { algorithm.secretSize }
    return 320 + Base64URL.encodedSize(of: publicKeySize) + Base64URL.encodedSize(of: materialSize)
  }

  /// The set as JSON, in an array that never reallocates.
  ///
  /// Each secret is encoded straight into it. `v` comes first, so that a reader recognizes a newer version before it
  /// checks anything else.
  static func encode(
    _ keys: [(KeyRecord, KeyMaterial?)], role: KeyRole, serial: Int64? = nil
  ) -> [UInt8] {
    var text: [UInt8] = []
    let size = keys.reduce(128) { $0 + lineSize(for: $1.0.algorithm, $1.1) }
    text.reserveCapacity(size)
    text += #"{"v":1,"#.utf8
    if let name = role.name { text += #""role":"\#(name)","#.utf8 }
    if let serial { text += #""serial":\#(serial),"#.utf8 }
    text += #""keys":["#.utf8
    for (index, (record, material)) in keys.enumerated() {
      text += (index == 0 ? "\n" : ",\n").utf8
      append(record, material, to: &text)
    }
    text += "\n]}\n".utf8
    precondition(text.count <= size, "a line is longer than its bound")
    return text
  }

  /// A single key as JSON, without its life, in an array that never reallocates.
  static func encode(_ publicKey: PublicKey, secret: StoredSecret?) -> [UInt8] {
    var text: [UInt8] = []
    let material = secret.map(KeyMaterial.secret)
    let size = lineSize(for: publicKey.algorithm, material)
    text.reserveCapacity(size)
    appendKey(
      material, algorithm: publicKey.algorithm, publicKey: publicKey, id: publicKey.thumbprint, to: &text)
    text += "}\n".utf8
    precondition(text.count <= size, "a key is longer than its bound")
    return text
  }

  private static func append(_ record: KeyRecord, _ material: KeyMaterial?, to text: inout [UInt8]) {
    appendKey(
      material, algorithm: record.algorithm, publicKey: record.publicKey, id: record.id, to: &text)
    append(record.life, isPrivate: material != nil, to: &text)
    text += #","status":"\#(record.life.status.rawValue)"}"#.utf8
  }

  /// Appends the members that never change, without the closing brace.
  private static func appendKey(
    _ material: KeyMaterial?, algorithm: KeyAlgorithm, publicKey: PublicKey?, id: Thumbprint,
    to text: inout [UInt8]
  ) {
    text += #"{"kty":"\#(algorithm.jwk.type)""#.utf8
    if let publicKey { append(publicKey, to: &text) }
    switch material {
    case .secret(let secret): append(secret, as: algorithm.jwk.secretMember, to: &text)
    case .hardware(let key):
      text += #","\#(KeyMember.handle.rawValue)":"\#(Base64URL.encode(key.handle.span))""#.utf8
    case nil: break
    }
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
