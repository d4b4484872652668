import PushCrypto
import PushCore
import PushEnrolment
import PushKeys

extension Harness {
  /// Signed key sets, enrolments and registrations, as input and with signed claims: an accepted one reads back the
  /// same.
  static let signedSets = Harness(name: "signed-sets") { bytes in
    try check(enrolment: bytes)
    try check(registration: bytes)
    try check(senders: bytes)
    try check(senders: signed(bytes, by: rootKey, name: "kid"))
    if let object = try? JSONObject(parsing: bytes.span) { try check(enrolmentOf: object) }
  }

  private static let rootKey = (try? Keys.root.publicKeys.records.first?.publicKey)!
  private static let identityKey = (try? Keys.identity.publicKeys.records.first?.publicKey)!

  private static func check(senders text: [UInt8]) throws {
    guard let roots = try? Keys.root.publicKeys,
      let set = try? SenderKeySet(parsing: text.span, roots: roots, topic: Keys.topic)
    else { return }
    try require(Array(set.text.utf8) == text, "a signed set is its text")
    try set.check(follows: set)
    for record in set.keys.records { _ = set.senderKey(for: record.id.keyID, at: Keys.now) }
  }

  private static func check(enrolment text: [UInt8]) throws {
    guard let enrolment = try? Enrolment(verifying: text.span) else { return }
    let written = enrolment.encoded()
    try require(
      try Enrolment(verifying: written.span) == enrolment, "an enrolment that was written reads the same")
    guard enrolment.audience != nil else { return }
    var registration = try Registration(name: "device", enrolment: enrolment)
    let first = registration
    try require(
      try registration.update(with: enrolment) == .pending && registration == first,
      "the same again changes nothing")
    try require(registration.proven == nil && registration.pending != nil, "nothing is proven by itself")
    try check(registration: registration.encoded())
  }

  private static func check(registration text: [UInt8]) throws {
    guard let registration = try? Registration(parsing: text.span) else { return }
    let written = registration.encoded()
    try require(
      try Registration(parsing: written.span) == registration,
      "a registration that was written reads the same")
  }

  /// An enrolment whose claims are an input.
  private static func check(enrolmentOf claims: JSONObject) throws {
    var enrolment: JSONObject = ["v": 1]
    for name in ["topic", "environment", "token"] { enrolment[name] = claims[name] }
    let keys = signed(claims.encoded(), by: identityKey, name: "jwk")
    enrolment["keys"] = .string(String(decoding: keys, as: UTF8.self))
    try check(enrolment: enrolment.encoded())
  }

  /// A compact JWS of a payload, signed by a root or an identity.
  private static func signed(_ payload: [UInt8], by key: PublicKey, name: String) -> [UInt8] {
    var header: JSONObject = ["alg": "EdDSA", "typ": "sealed-push-keys+jws"]
    header[name] =
      name == "kid"
      ? .string(key.thumbprint.text)
      : ["crv": "Ed25519", "kty": "OKP", "x": .string(Base64URL.encode(key.bytes.span))]
    let input = Base64URL.encode(header.encoded().span) + "." + Base64URL.encode(payload.span)
    let signature = signature(of: Array(input.utf8), by: name == "kid" ? Keys.root : Keys.identity, key)
    return Array((input + "." + Base64URL.encode(signature.span)).utf8)
  }

  private static func signature(of input: [UInt8], by set: KeySet, _ key: PublicKey) -> [UInt8] {
    let publicKey = key.bytes
    let signature = set.privateKey(for: key.thumbprint)?.withEncodedBytes(as: .raw) { privateKey in
      try? Ed25519.sign(input.span, privateKey: privateKey, publicKey: publicKey.span)
    }
    guard let signature = signature.flatMap(\.self) else { preconditionFailure("the key signs") }
    return signature
  }
}
