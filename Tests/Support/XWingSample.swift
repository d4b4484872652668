package import PushCore
package import PushKeys
internal import Testing

/// A key for X-Wing that can be made, read and listed without a library that has ML-KEM, and opens nothing.
package struct XWingSample {
  /// The public key's bytes: an ML-KEM half of zeros, and an X25519 half of its own.
  package let publicKey: PublicKey

  /// Makes another key each time.
  package init() throws {
    let x25519 = try #require(KeySet(generating: .device, at: .now).records.first?.publicKey)
    publicKey = try PublicKey(algorithm: .xwing, bytes: [UInt8](repeating: 0, count: 1184) + x25519.bytes)
  }

  /// The key alone as a public set.
  package var publicSet: PublicKeySet {
    get throws {
      let text = JSONObject.set(of: [.object(try jwk)]).encoded()
      return try PublicKeySet(parsing: text.span)
    }
  }

  /// A private set, which has the keys of another one and this one, with a seed that is not its own.
  package func added(to privateSet: [UInt8], at now: UnixTime) throws -> [UInt8] {
    let seed = Base64URL.encode([UInt8](repeating: 1, count: 32))
    var jwk = try jwk
    jwk["priv"] = .string(seed)
    jwk["iat"] = .number(JSONNumber(now.seconds))
    jwk["status"] = "active"
    let keys = try JSONObject(parsing: privateSet.span)["keys"]?.array ?? []
    return JSONObject.set(of: keys + [.object(jwk)]).encoded()
  }

  private var jwk: JSONObject {
    get throws {
      let text = try #require(publicKey.encoded(as: .jwk))
      return try JSONObject(parsing: text.span)
    }
  }
}

extension KeySet {
  /// The same device's set with a key for X-Wing too: a real one where the libraries have it, and a sample elsewhere.
  package func withXWing(at now: UnixTime) throws -> KeySet {
    guard Suite.xwingAESGCM.isAvailable else {
      let text = try XWingSample().added(to: encoded(), at: now)
      return try KeySet(parsing: text.span)
    }
    var editor = KeySetEditor(self)
    try editor.add(.xwingAESGCM, at: now)
    return editor.keySet
  }
}

extension JSONObject {
  fileprivate static func set(of keys: [JSONValue]) -> JSONObject { ["v": 1, "keys": .array(keys)] }
}
