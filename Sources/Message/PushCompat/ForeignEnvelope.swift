package import PushCore

/// What another system's envelope reveals without a key.
package struct ForeignEnvelope: Sendable {
  /// The format's name.
  package let format: String

  /// The payload's members that carry the envelope.
  package let members: [String]

  /// The length of the ciphertext with its tag or padding, in bytes; `nil` if the text cannot be opened in any case.
  package let ciphertextSize: Int?

  /// What else the format reveals: `salt` and `ephemeralKey` (bytes in hexadecimal), `recordSize`, `keyID`, `webhookID`
  /// and `iv`; and `encoding`, which is `raw`, if the envelope's bytes are written as characters.
  package let details: JSONObject

  init(format: String, members: [String], ciphertextSize: Int?, details: JSONObject = [:]) {
    self.format = format
    self.members = members
    self.ciphertextSize = ciphertextSize
    self.details = details
  }

  /// Inspects another system's envelope in a payload without an envelope of this package under `key`, valid or not.
  package init?(in payload: JSONObject, besides key: EnvelopeKey) {
    if let text = key.value(in: payload)?.string, Envelope.isRecognized(text) { return nil }
    self.init(in: payload)
  }

  /// Inspects an envelope in the format that the payload looks like; `nil` if it looks like none of them.
  package init?(in payload: JSONObject) {
    // Bark's member has a common name, so Bark comes last: what starts like OpenSSL's format is OpenSSL's.
    let formats = [
      WebPush.inspect, WebPushDraft.inspect, Zulip.inspect, HomeAssistant.inspect, SodiumSealedBox.inspect,
      OpenSSLSalted.inspect, Bark.inspect,
    ]
    for inspect in formats {
      guard let envelope = inspect(payload) else { continue }
      self = envelope
      return
    }
    return nil
  }

  /// Bytes in lower-case hexadecimal digits, for ``details``.
  static func hexadecimal(of bytes: some Sequence<UInt8>) -> JSONValue {
    .string(HexDigit.text(of: Array(bytes)))
  }
}
