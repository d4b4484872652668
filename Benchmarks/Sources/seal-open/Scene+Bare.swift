import PushEnvelope
import Scenes

extension Scene {
  /// The primitives that a message of this scene takes; there is no such floor for a shared key.
  func bare() throws -> BareMessage {
    let sizes = MessageSizes(
      topic: topic.text.utf8.count, content: contentSize, plaintext: try plaintextSize(),
      encapsulatedKey: suite.encapsulatedKeySize)
    let hpke: any BareHPKE =
      switch suite {
      case .x25519ChaChaPoly: try BareX25519ChaChaPoly(plaintextSize: sizes.plaintext)
      case .p256AESGCM: try BareP256AESGCM(plaintextSize: sizes.plaintext)
      case .sharedChaChaPoly: throw BenchmarkError.noFloor
      }
    return try BareMessage(hpke: hpke, sizes: sizes, isSigned: isSigned)
  }
}
