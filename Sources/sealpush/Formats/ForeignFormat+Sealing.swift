import PushCompat
import PushPayload
import PushReceiver

extension ForeignFormat {
  /// Makes the members of a payload that carry a plaintext.
  typealias Writer = ([UInt8]) throws(EnvelopeFormatError) -> JSONObject

  /// What writes its payloads, with the secret and the options that were given.
  func writer(_ arguments: Arguments) throws(ToolError) -> Writer {
    switch self {
    case .openSSLSalted:
      let format = try OpenSSLSalted(arguments)
      return { (plaintext) throws(EnvelopeFormatError) in
        [format.member.text: .string(try format.seal(plaintext.span))]
      }
    case .webPush:
      let (carriage, subscription) = (try arguments.carriage(), try Self.subscription(arguments))
      return { (plaintext) throws(EnvelopeFormatError) in
        let body = try WebPush.seal(plaintext.span, to: subscription)
        return carriage.members(of: body.span)
      }
    case .sodiumSealedBox:
      let member = try arguments.member()?.text ?? SodiumSealedBox.defaultMember
      let recipient = try Self.boxRecipient(arguments)
      return { (plaintext) throws(EnvelopeFormatError) in
        [member: .string(try SodiumSealedBox.seal(plaintext.span, to: recipient))]
      }
    case .zulip:
      let key = try ZulipKey(arguments)
      return { (plaintext) throws(EnvelopeFormatError) in try Zulip.seal(plaintext.span, with: key) }
    case .bark, .webPushDraft, .homeAssistant: throw .usage("\(name) is opened, and not written")
    }
  }

  private static func subscription(_ arguments: Arguments) throws(ToolError) -> WebPushSubscription {
    try FormatSecret(arguments).read(
      "p256dh", "auth", within: "keys",
      as: "a subscription: a JSON object with p256dh and auth in base64url, of 65 and 16 bytes"
    ) { WebPushSubscription(p256dh: $0, auth: $1) }
  }

  private static func boxRecipient(_ arguments: Arguments) throws(ToolError) -> SodiumRecipient {
    try FormatSecret(arguments).read(as: "a public key in base64, of 32 bytes") { key in
      SodiumRecipient(publicKeyText: key)
    }
  }
}
