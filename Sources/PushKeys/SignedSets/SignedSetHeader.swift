internal import PushEnvelope
internal import PushPayload

/// The header of a signed key set: who is said to have signed it.
enum SignedSetHeader {
  private static let type = "sealed-push-keys+jws"
  private static let algorithm = "EdDSA"

  /// What names the signer: `kid`, of a root that the reader has; or `jwk`, of an identity.
  enum Signer: String {
    case root = "kid"
    case identity = "jwk"
  }

  /// The header of a root's or of an identity's signature.
  static func make(_ signer: Signer, _ key: PublicKey) -> JSONObject {
    var header: JSONObject = ["alg": .string(algorithm), "typ": .string(type)]
    switch signer {
    case .root: header["kid"] = .string(key.thumbprint.text)
    case .identity: header["jwk"] = .object(jwk(key))
    }
    return header
  }

  /// The member that names the signer, of a header by [11.3].
  ///
  /// - Throws: ``SignedSetError/unsupportedAlgorithm``, ``SignedSetError/wrongType``, ``SignedSetError/malformedHeader``.
  static func member(_ signer: Signer, of header: JSONObject) throws(SignedSetError) -> JSONValue {
    guard header["alg"] == .string(algorithm) else { throw .unsupportedAlgorithm }
    guard header["typ"] == .string(type) else { throw .wrongType }
    guard header.count == 3, let value = header[signer.rawValue] else { throw .malformedHeader }
    return value
  }

  /// The identity's public key, of a `jwk` by [11.4].
  ///
  /// - Throws: ``SignedSetError/malformedHeader``.
  static func identity(_ jwk: JSONValue) throws(SignedSetError) -> PublicKey {
    guard let object = jwk.object, object.count == 3, object["kty"] == .string(form.type),
      object["crv"] == form.curve.map(JSONValue.string), let x = object["x"]?.string,
      let bytes = try? Base64URL.decode(x), let key = try? PublicKey(.ed25519, bytes: bytes)
    else { throw .malformedHeader }
    return key
  }

  private static func jwk(_ key: PublicKey) -> JSONObject {
    var object = JSONObject()
    for (name, value) in form.requiredMembers(of: key.bytes) { object[name] = .string(value) }
    return object
  }

  private static let form = KeyAlgorithm.ed25519.jwk
}
