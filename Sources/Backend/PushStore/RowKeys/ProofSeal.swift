internal import PushCore
internal import PushCrypto
internal import PushEnrolment

/// Encrypts the proof of what is pending in a registration's line, which takes a token, under a ``RowKey``.
///
/// In `pending`, `"sealed"` takes the place of `"proof"`: a random nonce of 24 bytes, and the proof, encrypted with
/// XChaCha20-Poly1305 and authenticated with the registration's name and identity. The key follows from the row key.
struct ProofSeal: Sendable {
  private static let label: StaticString = "sealedpush pending proof 1"

  /// How many bytes a line grows by at most: the nonce and the tag, in base64url, and as much again as a proof of 255 bytes
  /// takes in it.
  private static let growth = 160

  /// The length of a line in the table.
  static let maximumLineSize = Registration.maximumLineSize + growth

  private let key: SharedSecret

  /// Derives the key.
  init(rowKey: Span<UInt8>) {
    key = SharedSecret(
      HKDFSHA256.expand(rowKey, count: XChaCha20Poly1305.keySize) { hmac in hmac.update(Self.label) })
  }

  /// The line with its proof encrypted, if it has one.
  func sealing(_ line: [UInt8]) -> [UInt8] {
    guard let pending = Pending(in: line), let proof = pending.members["proof"]?.string else { return line }
    var nonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceSize)
    var bytes = nonce.mutableSpan
    SystemRandom().fill(&bytes)
    let (text, data) = (Array(proof.utf8), pending.binding)
    guard
      let sealed = try? XChaCha20Poly1305.seal(
        text.span, authenticating: data.span, key: key.exposedBytes, nonce: nonce.span)
    else { preconditionFailure("Linux has the cipher") }
    let all = nonce + sealed
    return pending.line(replacing: "proof", by: "sealed", with: Base64URL.encode(all.span))
  }

  /// The line with its proof decrypted, if that is encrypted; nil if it is encrypted with another key or for another
  /// registration.
  func opening(_ line: [UInt8]) -> [UInt8]? {
    guard let pending = Pending(in: line), let sealed = pending.members["sealed"] else { return line }
    guard let bytes = sealed.string.flatMap({ try? Base64URL.decode($0) }),
      bytes.count > XChaCha20Poly1305.nonceSize
    else { return nil }
    let nonce = Array(bytes.prefix(XChaCha20Poly1305.nonceSize))
    let (ciphertext, data) = (Array(bytes.dropFirst(nonce.count)), pending.binding)
    guard
      let proof = try? XChaCha20Poly1305.open(
        ciphertext.span, authenticating: data.span, key: key.exposedBytes, nonce: nonce.span)
    else { return nil }
    return pending.line(
      replacing: "sealed", by: "proof",
      with: String(decoding: [UInt8](copying: proof.exposedBytes), as: UTF8.self))
  }

  /// The line as it can be verified by who has no key: with another proof in place of one that is encrypted.
  static func blank(_ line: [UInt8]) -> [UInt8] {
    guard let pending = Pending(in: line), pending.members["sealed"]?.string != nil else { return line }
    return pending.line(replacing: "sealed", by: "proof", with: Proof.random().text)
  }

  /// The line without what is pending, if its proof is encrypted.
  static func forgetting(_ line: [UInt8]) -> [UInt8] {
    guard var pending = Pending(in: line), pending.members["sealed"] != nil else { return line }
    pending.object.removeValue(forKey: "pending")
    return pending.object.encoded()
  }
}

/// What is pending in a registration's line.
private struct Pending {
  var object: JSONObject
  let members: JSONObject

  /// Nil if nothing is, or if the line is no JSON object.
  init?(in line: [UInt8]) {
    guard let object = try? JSONObject(parsing: line.span), let members = object["pending"]?.object else {
      return nil
    }
    (self.object, self.members) = (object, members)
  }

  /// What a proof is authenticated with: the registration's name and identity, which have no NUL.
  var binding: [UInt8] {
    let texts = [object["registration"]?.string, object["identity"]?.string].map { Array(($0 ?? "").utf8) }
    return texts[0] + [0] + texts[1]
  }

  /// The line with another member in place of one of `pending`.
  func line(replacing old: String, by new: String, with value: String) -> [UInt8] {
    var (copy, changed) = (object, JSONObject())
    for (name, member) in members {
      if name == old { changed[new] = .string(value) } else { changed[name] = member }
    }
    copy["pending"] = .object(changed)
    return copy.encoded()
  }
}

extension RowSeal {
  /// The row as it is written: with its proof encrypted.
  package func sealing(_ row: DeviceRow) -> DeviceRow {
    var sealed = row
    sealed.registration = String(decoding: proofs.sealing(Array(row.registration.utf8)), as: UTF8.self)
    return sealed
  }
}
