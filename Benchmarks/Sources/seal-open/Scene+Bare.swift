import PushCore
import Scenes

extension Scene {
  /// The primitives that a message of this scene takes.
  func bare() throws -> BareMessage {
    let sizes = MessageSizes(
      topic: topic.text.utf8.count, content: contentSize, plaintext: try plaintextSize(),
      encapsulatedKey: suite.encapsulatedKeySize)
    let cipher: any BareSuite =
      switch suite {
      case .x25519ChaChaPoly: try BareX25519ChaChaPoly(plaintextSize: sizes.plaintext)
      case .p256AESGCM: try BareP256AESGCM(plaintextSize: sizes.plaintext)
      case .xwingAESGCM: try BareXWingAESGCM(plaintextSize: sizes.plaintext)
      case .sharedChaChaPoly: BareSharedChaChaPoly(plaintextSize: sizes.plaintext)
      }
    let codes =
      switch suite {
      case .x25519ChaChaPoly, .p256AESGCM: HMACInputSizes(dhkem: sizes)
      case .xwingAESGCM: HMACInputSizes(hpke: sizes)
      case .sharedChaChaPoly: HMACInputSizes(shared: sizes)
      }
    return try BareMessage(cipher, codes: codes, sizes: sizes, isSigned: isSigned)
  }
}
