@testable import PushCrypto
import PushCore
import PushKeys
import TestSupport
import Testing

/// Encapsulates to an X-Wing key step by step, so that a vector can have one fault at any step: what HPKE's own
/// encapsulation never makes.
struct XWingForge {
  /// The inputs of the combiner.
  struct Parts {
    var ssM: [UInt8], ssX: [UInt8], ctX: [UInt8], pkX: [UInt8]
  }

  let forge: Forge
  /// Changes what is sent, before it is bound.
  var changeParts: (inout Parts) -> Void = { _ in }
  /// The combiner's input.
  var combined: (Parts) -> [UInt8] = { $0.ssM + $0.ssX + $0.ctX + $0.pkX + XWing.label }
  var aead = AEAD.aes256GCM

  /// The envelope's bytes.
  func envelope() throws -> [UInt8] {
    let (secret, enc) = try encapsulate()
    let (plaintext, info) = (try forge.plaintext(), try forge.binding().info)
    var hpke = HPKEContext(
      suite: HPKESuite(kem: XWing(), aead: aead), sharedSecret: secret.span, info: info.span)
    let header = [1, Suite.xwingAESGCM.rawValue] + forge.recipient.thumbprint.keyID.bytes
    return header + enc + (try hpke.seal(plaintext.span, authenticating: Span()))
  }

  #if canImport(CryptoKit)
    private struct NoSuchSteps: Error {}

    /// CryptoKit has no encapsulation whose randomness the caller gives.
    private func encapsulate() throws -> (secret: [UInt8], enc: [UInt8]) { throw NoSuchSteps() }
  #else
    private func encapsulate() throws -> (secret: [UInt8], enc: [UInt8]) {
      let pk = try #require(forge.recipient.publicKey?.bytes)
      let (pkM, pkX) = (Array(pk.prefix(MLKEM768.publicKeySize)), Array(pk.dropFirst(MLKEM768.publicKeySize)))
      let (m, ekX) = (Array(forge.randomness.prefix(32)), Array(forge.randomness.suffix(32)))
      var ctM = [UInt8](repeating: 0, count: MLKEM768.ciphertextSize)
      var output = ctM.mutableSpan
      guard let key = OpenSSLMLKEM768(publicKey: pkM.span),
        let ssM = key.encapsulate(seed: m.span, into: &output)
      else { throw CryptoError.unavailable }
      let ssX = try X25519.sharedSecret(privateKey: ekX.span, publicKey: pkX.span)
      var parts = Parts(
        ssM: [UInt8](copying: ssM.exposedBytes), ssX: [UInt8](copying: ssX.exposedBytes),
        ctX: try X25519.publicKey(of: ekX.span), pkX: pkX)
      changeParts(&parts)
      guard let hash = OpenSSLSHA3(.sha3_256) else { throw CryptoError.unavailable }
      let input = combined(parts)
      hash.update(input.span)
      let secret = hash.finish(count: XWing.sharedSecretSize)
      return ([UInt8](copying: secret.exposedBytes), ctM + parts.ctX)
    }
  #endif
}

extension Forge {
  /// Sends what another encapsulation makes of the same message.
  mutating func encapsulate(_ change: (inout XWingForge) -> Void) throws {
    var steps = XWingForge(forge: self)
    change(&steps)
    let envelope = try steps.envelope()
    changeEnvelope = { _ in envelope }
  }
}
