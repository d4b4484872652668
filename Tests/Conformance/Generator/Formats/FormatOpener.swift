import PushCompat
import PushCore
import PushReceiver
import Testing

/// What `PushCompat` makes of a vector's parameters.
struct FormatOpener {
  private static let recognizers: [(name: String, isRecognized: @Sendable (JSONObject) -> Bool)] = [
    (OpenSSLSalted.name, { OpenSSLSalted.isRecognized($0) }), (Bark.name, { Bark.isRecognized($0) }),
    (WebPush.name, { WebPush.isRecognized($0) }), (WebPushDraft.name, { WebPushDraft.isRecognized($0) }),
    (SodiumSealedBox.name, { SodiumSealedBox.isRecognized($0) }), (Zulip.name, { Zulip.isRecognized($0) }),
    (HomeAssistant.name, { HomeAssistant.isRecognized($0) }),
  ]

  static let names = recognizers.map(\.name)

  /// The formats that a payload looks like.
  static func names(recognizing payload: JSONObject) -> [String] {
    recognizers.filter { $0.isRecognized(payload) }.map(\.name)
  }

  private let parameters: JSONObject

  /// The format; null if the keys or the parameters are none.
  static func format(_ name: String, _ parameters: JSONObject) throws -> (any EnvelopeFormat)? {
    let opener = FormatOpener(parameters: parameters)
    return switch name {
    case OpenSSLSalted.name: try opener.openSSL()
    case Bark.name: try opener.bark()
    case WebPush.name: try opener.webPushKeys().map { WebPush(keys: $0, carriage: opener.carriage) }
    case WebPushDraft.name: try opener.webPushKeys().map { WebPushDraft(keys: $0, carriage: opener.carriage) }
    case SodiumSealedBox.name: try opener.sealedBox()
    case Zulip.name: try opener.zulip()
    case HomeAssistant.name: try opener.homeAssistant()
    default: throw UnknownFormat()
    }
  }

  private func text(_ name: String) throws -> String { try #require(parameters[name]?.string) }

  private func bytes(_ name: String) throws -> [UInt8] { try Base64URL.decode(try text(name)) }

  private func openSSL() throws -> OpenSSLSalted? {
    let digest = try #require(OpenSSLSalted.Digest(rawValue: try text("digest")))
    let iterations = try parameters["iterations"].map { try #require($0.number?.integer) }
    let derivation = iterations.map { OpenSSLSalted.Derivation.pbkdf2(iterations: Int($0), digest: digest) }
    guard let derivation = derivation ?? .bytesToKey(digest: digest) else { return nil }
    let password = Array(try text("password").utf8)
    let member = parameters["member"]?.string.flatMap({ try? EnvelopeKey($0) })
    return .unauthenticated(password: password.span, derivation: derivation, member: member ?? .default)
  }

  private func bark() throws -> Bark? {
    let key = Array(try text("key").utf8)
    let vector = parameters["iv"]?.string.map { Array($0.utf8) }
    return try text("mode") == "cbc"
      ? .unauthenticatedCBC(key: key.span, initializationVector: vector)
      : .gcm(key: key.span, initializationVector: vector)
  }

  private var carriage: WebPushCarriage { parameters["carriage"] == "z85" ? .z85 : .base64URL }

  private func webPushKeys() throws -> WebPushKeys? {
    let (key, secret) = (try bytes("privateKey"), try bytes("auth"))
    return WebPushKeys(privateKey: key.span, authenticationSecret: secret.span)
  }

  private func sealedBox() throws -> SodiumSealedBox? {
    let key = try bytes("privateKey")
    return SodiumSealedBox(
      privateKey: key.span, member: parameters["member"]?.string ?? SodiumSealedBox.defaultMember)
  }

  private func zulip() throws -> Zulip? {
    var keys: [ZulipKey] = []
    for key in try #require(parameters["keys"]?.array) {
      let pushKey = Array(try #require(key.object?["pushKey"]?.string).utf8)
      let id = try #require(key.object?["id"]?.number?.integer.flatMap(UInt32.init(exactly:)))
      guard let key = ZulipKey(id: id, pushKey: pushKey.span) else { return nil }
      keys.append(key)
    }
    return Zulip(keys: keys)
  }

  private func homeAssistant() throws -> HomeAssistant? {
    let secret = Array(try text("secret").utf8)
    let key =
      try text("rule") == "truncated"
      ? HomeAssistantKey.truncated(secret: secret.span) : .hexadecimal(secret: secret.span)
    return key.map { HomeAssistant(key: $0, webhookID: parameters["webhookID"]?.string) }
  }
}

/// A vector's format that this package does not have.
struct UnknownFormat: Error {}
