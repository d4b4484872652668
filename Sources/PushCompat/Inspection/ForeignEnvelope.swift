package import PushPayload
internal import PushReceiver

/// What a payload with another system's envelope shows without a key.
package struct ForeignEnvelope: Sendable {
  /// The format's name.
  package let format: String

  /// The members of the payload that make the envelope.
  package let members: [String]

  /// The length of the ciphertext, with its tag or padding, in bytes; null if the text is none that can open.
  package let ciphertextSize: Int?

  /// What else the format shows: `salt`, `ephemeralKey` (bytes in hexadecimal digits), `recordSize`, `keyID`,
  /// `webhookID` and `iv`.
  package let details: JSONObject

  init(format: String, members: [String], ciphertextSize: Int?, details: JSONObject = [:]) {
    self.format = format
    self.members = members
    self.ciphertextSize = ciphertextSize
    self.details = details
  }

  /// Takes another system's envelope from a payload that has none of this package's under `key`, good or not.
  package init?(_ payload: JSONObject, besides key: EnvelopeKey) {
    guard !EnvelopeField(data: payload, envelopeKey: key).isSealed else { return nil }
    self.init(payload)
  }

  /// Takes the envelope of the format that a payload looks like; null if it looks like none.
  package init?(_ payload: JSONObject) {
    // Bark's member has a common name, and what starts as OpenSSL's is OpenSSL's.
    let formats = [
      WebPush.shown, WebPushDraft.shown, Zulip.shown, HomeAssistant.shown, SodiumSealedBox.shown,
      OpenSSLSalted.shown, Bark.shown,
    ]
    for shown in formats {
      guard let envelope = shown(payload) else { continue }
      self = envelope
      return
    }
    return nil
  }
}
