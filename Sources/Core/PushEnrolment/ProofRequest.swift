internal import PushKeys
internal import PushCrypto
public import PushCore

/// A random text that a device sends back to prove that it has a private key and receives the pushes to a token.
///
/// A backend makes a proof for a pending enrolment, seals it to that enrolment's key, and gets it back in signed
/// claims.
public struct Proof: Hashable, Sendable {
  /// The sizes of a proof, in characters: 22, for 16 bytes, to 255.
  public static let sizes = 22...255

  /// The text, in base64url.
  public let text: String

  /// Takes 22 to 255 characters of base64url, without padding.
  ///
  /// - Throws: `ValueError`.
  public init(_ text: String) throws(ValueError) {
    let rule = "22 to 255 characters of base64url"
    guard Self.sizes.contains(text.utf8.count) else { throw ValueError("proof", is: rule) }
    do throws(Base64URLError) {
      _ = try Base64URL.decode(text)
    } catch {
      throw ValueError("proof", is: rule, notAt: error.offset)
    }
    self.text = text
  }

  /// Makes a proof of 16 bytes from the system's random number generator.
  public static func random() -> Proof {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    guard let proof = try? Proof(Base64URL.encode(bytes.span)) else {
      preconditionFailure("16 bytes are a proof")
    }
    return proof
  }

  /// Whether both are equal; the time depends only on their sizes.
  public static func == (left: Proof, right: Proof) -> Bool {
    let (left, right) = (Array(left.text.utf8), Array(right.text.utf8))
    return ConstantTime.equal(left.span, right.span)
  }
}

/// A backend's request that a device prove a new key or token: FORMAT.md, [11.19].
///
/// It is the content of a message of type `ContentType.proofRequest`.
public struct ProofRequest: Hashable, Sendable {
  /// The backend that asks.
  public let audience: Audience

  /// The identity that signed the pending enrolment.
  ///
  /// A device answers only for its own identity. An answer is signed but not encrypted, so anyone who reads it learns
  /// the proof.
  public let identity: Thumbprint

  /// The proof that the device repeats in its next enrolment.
  public let proof: Proof

  /// Makes a request.
  public init(audience: Audience, identity: Thumbprint, proof: Proof) {
    self.audience = audience
    self.identity = identity
    self.proof = proof
  }

  /// Parses a request: strict JSON with exactly the members of a request.
  ///
  /// - Throws: `ValueError`.
  public init(parsing content: Span<UInt8>) throws(ValueError) {
    guard let object = try? JSONObject(parsing: content), object.count == 4,
      object["v"]?.number?.integer == 1,
      let audience = object["audience"]?.string.flatMap({ try? Audience($0) }),
      let identity = object["identity"]?.string.flatMap({ try? Thumbprint($0) }),
      let proof = object["proof"]?.string.flatMap({ try? Proof($0) })
    else { throw ValueError("proof request", is: "a JSON object of 'v', 'audience', 'identity' and 'proof'") }
    self.init(audience: audience, identity: identity, proof: proof)
  }

  /// The request in JSON.
  public func encoded() -> [UInt8] {
    let object: JSONObject = [
      "v": 1, "audience": .string(audience.text), "identity": .string(identity.text),
      "proof": .string(proof.text),
    ]
    return object.encoded()
  }

  /// Why a device with these keys does not answer the request, which `key` opened; nil if it answers: FORMAT.md,
  /// [11.20].
  func refusal(for audience: Audience, by keys: DeviceKeys, openedBy key: Thumbprint) -> ProofRefusal? {
    guard self.audience == audience else { return .otherAudience }
    guard keys.identity.records.contains(where: { $0.id == identity }) else { return .otherIdentity }
    let isActive = keys.device.records.contains { $0.id == key && $0.life.status == .active }
    return isActive ? nil : .inactiveKey
  }
}

/// Why a device does not answer a proof request: FORMAT.md, [11.20].
public enum ProofRefusal: String, Error, Sendable {
  /// It is from another backend.
  case otherAudience = "other-audience"
  /// It is about an enrolment that another identity signed: somebody else enrolled this device's key.
  case otherIdentity = "other-identity"
  /// The key that opened the request is no longer active, so the device no longer enrols it.
  case inactiveKey = "inactive-key"
}

extension ProofRefusal: CustomStringConvertible {
  /// The code in FORMAT.md, and its meaning.
  public var description: String { "not answered: \(rawValue): \(reason)" }

  /// The reason, to follow the name of the request.
  package var reason: String {
    switch self {
    case .otherAudience: "it is from another backend"
    case .otherIdentity: "it is about an enrolment by another identity"
    case .inactiveKey: "its key is no longer active"
    }
  }
}
