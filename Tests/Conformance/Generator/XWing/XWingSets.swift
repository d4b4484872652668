import PushCore
import PushKeys
import PushTesting
import TestSupport
import Testing

/// Sets that have X-Wing keys: section 3.
struct XWingSets {
  private let publicKey: RawObject
  private let privateKey: RawObject
  private let other: RawObject
  private let x25519: RawObject
  private let p256: RawObject
  private let sender: RawObject
  private let bytes: [UInt8]
  private let otherSeed: String

  init(xwing: XWingKeys) throws {
    let keys = try PublicKeys()
    publicKey = try PublicKeys.make(.device, "device xwing", .xwingAESGCM)
    other = try PublicKeys.make(.device, "other device xwing", .xwingAESGCM)
    (x25519, p256, sender) = (keys.x25519, keys.p256, keys.sender)
    privateKey = RawObject(try #require(xwing.deviceFile["keys"]?.array?.first?.object))
    bytes = try #require(try xwing.recipient().publicKey?.bytes)
    let others = try #require(VectorKeys.keys(in: xwing.otherDevice).first?.object)
    otherSeed = try #require(others["priv"]?.string)
  }

  func all() throws -> [SetVector] { try good() + members() + publicKeys() + points() + wholes() + seeds() }

  private func good() throws -> [SetVector] {
    let kid = try #require(publicKey["kid"]).filter { $0 != "\"" }
    let short = RawObject(["kty", "alg", "pub"].compactMap { name in publicKey[name].map { (name, $0) } })
    func kids(_ keys: RawObject...) -> [String] {
      keys.compactMap { $0["kid"]?.filter { $0 != "\"" } }
    }
    return [
      accepted("alone", "the plain case: one key", [publicKey], [kid]),
      accepted(
        "beside-others", "a key of each suite", [publicKey, x25519, p256], kids(publicKey, x25519, p256)),
      accepted("required-members", "what may be absent is absent", [short], [kid]),
      accepted(
        "accepted-key", "beside one that is accepted",
        [publicKey, other.with { $0["status"] = "accepted".quoted }], kids(publicKey, other)),
      accepted(
        "other-members", "members that nobody knows", [publicKey.with { $0.append("ext", "true") }], [kid]),
      SetVector(
        id: "xwing-set-private", comment: "the private half, in a private file",
        set: RawObject.keySet([privateKey]).text, isPrivate: true, kids: [kid]),
    ]
  }

  private func members() -> [SetVector] {
    let faults: [(name: String, id: String, json: String?, comment: String)] = [
      ("kty", "absent", nil, "no `kty`"), ("kty", "okp", "OKP".quoted, "the `kty` of X25519"),
      ("kty", "lower-case", "akp".quoted, "another `kty`"),
      ("alg", "absent", nil, "no `alg`, which is the only member that says what the key is for"),
      ("alg", "null", "null", "an `alg` that is no string"),
      ("alg", "ml-kem-768", "ML-KEM-768".quoted, "one part alone"),
      ("alg", "hpke-4", "HPKE-4".quoted, "the `alg` of X25519"),
      ("alg", "upper-case", "XWING-AESGCM".quoted, "in other letters"),
      ("use", "sig", "sig".quoted, "another `use`"),
      ("kid", "other", other["kid"], "the `kid` of another key"),
      ("status", "next", "next".quoted, "a status of private files alone"),
      ("crv", "present", "X25519".quoted, "a `crv`, which such a key does not have"),
      ("x", "present", x25519["x"], "an `x`, which such a key does not have"),
      ("y", "present", x25519["x"], "a `y`, which such a key does not have"),
      ("d", "present", "null", "a member in which keys of some kind keep a secret"),
      ("priv", "present", privateKey["priv"], "the seed, in a public set"),
      ("priv", "empty", "".quoted, "the member of the seed, empty as it is"),
    ]
    return faults.map { name, id, json, comment in
      refused("\(name)-\(id)", comment, [publicKey.with { $0[name] = json }])
    } + [
      refused("pub-x25519", "a `pub` in a key that has none", [x25519.with { $0["pub"] = x25519["x"] }]),
      refused("pub-p256", "a `pub` in a key that has none", [p256.with { $0["pub"] = publicKey["pub"] }]),
    ]
  }

  private func publicKeys() -> [SetVector] {
    func changed(_ id: String, _ comment: String, _ change: (inout [UInt8]) -> Void) -> SetVector {
      var bytes = bytes
      change(&bytes)
      return wrong(id, comment, Base64URL.encode(bytes.span).quoted)
    }
    return [
      wrong("absent", "no `pub`", nil), wrong("number", "a `pub` that is no string", "1"),
      wrong("empty", "no bytes", "".quoted),
      wrong("padding", "a padding character", publicKey["pub"].map { $0.dropLast() + "=\"" }),
      changed("1215-bytes", "the last byte is gone") { $0.removeLast() },
      changed("1217-bytes", "a byte more") { $0.append(0) },
      changed("1184-bytes", "the part of ML-KEM alone") { $0.removeLast(32) },
      changed("32-bytes", "the part of X25519 alone") { $0.removeFirst(1184) },
      changed("x25519-first", "the part of X25519 comes first") { $0 = $0.suffix(32) + $0.dropLast(32) },
      changed("zeros-x25519", "the part of X25519 is zeros") {
        Self.replace(&$0, 1184, [UInt8](repeating: 0, count: 32))
      },
      changed("first-coefficient-3329", "the first coefficient is q") { Self.set(3329, at: 0, in: &$0) },
      changed("second-coefficient-3329", "the second coefficient is q") { Self.set(3329, at: 1, in: &$0) },
      changed("last-coefficient-3329", "the last of 768 coefficients is q") {
        Self.set(3329, at: 767, in: &$0)
      },
      changed("coefficient-4095", "a coefficient has every bit set") { Self.set(4095, at: 300, in: &$0) },
    ]
  }

  /// The part of X25519.
  private func points() -> [SetVector] {
    let high = [UInt8](repeating: 0xff, count: 30)
    let points: [(String, String, [UInt8])] = [
      ("x25519-one", "a point of small order", [1] + [UInt8](repeating: 0, count: 31)),
      ("x25519-p-minus-1", "a point of small order", [0xec] + high + [0x7f]),
      ("x25519-p", "not below p, and of small order", [0xed] + high + [0x7f]),
      ("x25519-p-plus-9", "9, which is not written below p", [0xf6] + high + [0x7f]),
      ("x25519-top-bit", "the top bit is set, so that it is not below p", bytes.suffix(1).map { $0 | 0x80 }),
    ]
    return points.map { id, comment, point in
      var bytes = bytes
      Self.replace(&bytes, 1216 - point.count, point)
      return wrong(id, comment, Base64URL.encode(bytes.span).quoted)
    }
  }

  private func wholes() -> [SetVector] {
    [
      refused("twice", "a key twice", [publicKey, publicKey]),
      refused("two-active", "two active keys of the suite", [publicKey, other]),
      refused("beside-sender", "a sender's key beside it", [publicKey, sender]),
    ]
  }

  /// Private files.
  private func seeds() -> [SetVector] {
    let faults: [(String, String, String, String?)] = [
      ("absent", "no seed", "priv", nil), ("number", "a seed that is no string", "priv", "1"),
      ("31-bytes", "a seed of 31 bytes", "priv", String(repeating: "A", count: 42).quoted),
      ("33-bytes", "a seed of 33 bytes", "priv", String(repeating: "A", count: 44).quoted),
      ("alg-absent", "no `alg`", "alg", nil),
    ]
    let other = SetVector(
      id: "xwing-set-seed-other", comment: "the seed of another key: a system without the suite cannot tell",
      set: RawObject.keySet([privateKey.with { $0["priv"] = otherSeed.quoted }]).text, isPrivate: true)
    return faults.map { id, comment, name, json in
      SetVector(
        id: "xwing-set-seed-\(id)", comment: comment,
        set: RawObject.keySet([privateKey.with { $0[name] = json }]).text, isPrivate: true)
    } + [other]
  }

  private func wrong(_ id: String, _ comment: String, _ json: String?) -> SetVector {
    // Without `kid`, so that nothing else is wrong.
    refused("pub-\(id)", comment, [publicKey.with { ($0["pub"], $0["kid"]) = (json, nil) }])
  }

  private func accepted(_ id: String, _ comment: String, _ keys: [RawObject], _ kids: [String]) -> SetVector {
    SetVector(id: "xwing-set-\(id)", comment: comment, set: RawObject.keySet(keys).text, kids: kids)
  }

  private func refused(_ id: String, _ comment: String, _ keys: [RawObject]) -> SetVector {
    SetVector(id: "xwing-set-\(id)", comment: comment, set: RawObject.keySet(keys).text)
  }

  private static func replace(_ bytes: inout [UInt8], _ start: Int, _ part: [UInt8]) {
    bytes.replaceSubrange(start..<start + part.count, with: part)
  }

  /// Two coefficients are in three bytes, little endian (FIPS 203, 4.2.1).
  private static func set(_ value: Int, at index: Int, in bytes: inout [UInt8]) {
    let (start, isSecond) = (index / 2 * 3, !index.isMultiple(of: 2))
    if isSecond {
      bytes[start + 1] = bytes[start + 1] & 0x0f | UInt8(value & 0x0f) << 4
      bytes[start + 2] = UInt8(value >> 4)
    } else {
      bytes[start] = UInt8(value & 0xff)
      bytes[start + 1] = bytes[start + 1] & 0xf0 | UInt8(value >> 8)
    }
  }
}
