import PushEnvelope
import Scenes

extension Scene {
  /// The primitives that a message of this scene takes.
  func bare() throws -> BareMessage {
    let sizes = MessageSizes(
      topic: topic.text.utf8.count, content: contentSize, plaintext: try plaintextSize(),
      encapsulatedKey: suite.encapsulatedKeySize)
    let hpke: any BareHPKE =
      switch suite {
      case .x25519ChaChaPoly: try BareX25519ChaChaPoly(plaintextSize: sizes.plaintext)
      case .p256AESGCM: try BareP256AESGCM(plaintextSize: sizes.plaintext)
      }
    return try BareMessage(hpke: hpke, sizes: sizes, isSigned: isSigned)
  }
}
