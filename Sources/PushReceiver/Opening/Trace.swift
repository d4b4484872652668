internal import PushEnvelope
internal import PushKeys

/// How far the opening of a push came, whatever came of it.
struct Trace: Sendable {
  /// The message's identity, once it was decrypted.
  var messageID: MessageID?

  /// Why a key store gave no answer.
  var keyFault: KeyStoreError?

  /// The format of another system, if the push had its envelope.
  var format: FormatSighting?

  /// What the replay store remembers of a message that is new.
  var remembered: ReplayEntry?
}
