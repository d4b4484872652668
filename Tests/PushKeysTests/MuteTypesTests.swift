import PushAttachments
import PushCompat
import PushCrypto
import PushKeys
import PushReceiver
import PushSealer
import Testing

/// A secret with `==` would be compared some day, byte by byte until two differ; one with a description or an encoding
/// would be printed.
///
/// Noncopyable secrets cannot have any of these.
@Suite("A type with secrets has no ==, no description and no encoding")
struct MuteTypesTests {
  private static let types: [any Any.Type] = [
    SharedSecret.self, KeySet.self, KeySetEditor.self, PrivateKey.self, DeviceKey.self, SigningKey.self,
    Passphrase.self,
    KeyFile.self, Sealer.self, Receiver.self, AttachmentDescriptor.self, WebPushKeys.self,
    WebPush.self,
    WebPushDraft.self, WebPushSubscription.self, ZulipKey.self, Zulip.self, HomeAssistantKey.self,
    HomeAssistant.self,
    SodiumSealedBox.self, Bark.self, OpenSSLSalted.self,
  ]

  /// The types whose descriptions show only public facts.
  private static let described: [any Any.Type] = [KeySet.self, AttachmentDescriptor.self]

  @Test(arguments: types.indices) func isMute(index: Int) {
    let type = Self.types[index]
    #expect(!(type is any Equatable.Type), "\(type)")
    #expect(!(type is any Comparable.Type), "\(type)")
    #expect(!(type is any Encodable.Type), "\(type)")
    #expect(!(type is any TextOutputStreamable.Type), "\(type)")
    guard !Self.described.contains(where: { $0 == type }) else { return }
    #expect(!(type is any CustomStringConvertible.Type), "\(type)")
    #expect(!(type is any CustomDebugStringConvertible.Type), "\(type)")
  }

  /// A control: public types do conform.
  @Test func whatIsPublicNeedNotBe() {
    let type: any Any.Type = PublicKeySet.self
    #expect(type is any Equatable.Type)
    let error: any Any.Type = String.self
    #expect(error is any CustomStringConvertible.Type && error is any Encodable.Type)
  }
}
