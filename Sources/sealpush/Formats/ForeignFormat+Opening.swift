import PushCompat
import PushPayload
import PushReceiver

extension ForeignFormat {
  /// What opens its payloads, with the secret and the options that were given.
  func opener(_ arguments: Arguments) throws(ToolError) -> any EnvelopeFormat {
    switch self {
    case .openSSLSalted: return try OpenSSLSalted(arguments)
    case .bark: return try Self.bark(arguments)
    case .webPush:
      let carriage = try arguments.carriage()
      return WebPush(keys: try Self.webPushKeys(arguments), carriage: carriage)
    case .webPushDraft:
      let carriage = try arguments.carriage()
      return WebPushDraft(keys: try Self.webPushKeys(arguments), carriage: carriage)
    case .sodiumSealedBox: return try Self.sealedBox(arguments)
    case .zulip: return Zulip(keys: [try ZulipKey(arguments)])
    case .homeAssistant: return HomeAssistant(key: try Self.homeAssistantKey(arguments))
    }
  }

  private static func bark(_ arguments: Arguments) throws(ToolError) -> Bark {
    let (mode, vector) = (try BarkMode(arguments), arguments["--iv"].map { Array($0.utf8) })
    guard mode != .ecb || vector == nil else { throw .usage("bark in mode ecb has no --iv") }
    let size = mode == .gcm ? 12 : 16
    guard vector == nil || vector?.count == size else {
      throw .usage("--iv in mode \(mode.rawValue) has \(size) bytes")
    }
    return try FormatSecret(arguments).read(as: "a key of bark's: 16, 24 or 32 characters") { key in
      switch mode {
      case .cbc: .unauthenticatedCBC(key: key, initializationVector: vector)
      case .gcm: .gcm(key: key, initializationVector: vector)
      case .ecb: .unauthenticatedECB(key: key)
      }
    }
  }

  private static func webPushKeys(_ arguments: Arguments) throws(ToolError) -> WebPushKeys {
    try FormatSecret(arguments).read(
      "private_key", "auth", as: "a JSON object with private_key and auth in base64url, of 32 and 16 bytes"
    ) { WebPushKeys(privateKeyText: $0, auth: $1) }
  }

  private static func sealedBox(_ arguments: Arguments) throws(ToolError) -> SodiumSealedBox {
    let member = try arguments.member()?.text ?? SodiumSealedBox.defaultMember
    return try FormatSecret(arguments).read(as: "a private key in base64, of 32 bytes") { key in
      SodiumSealedBox(privateKeyText: key, member: member)
    }
  }

  private static func homeAssistantKey(_ arguments: Arguments) throws(ToolError) -> HomeAssistantKey {
    switch arguments["--key-rule"] {
    case nil, "hexadecimal":
      return try FormatSecret(arguments).read(
        as: "64 hexadecimal digits", hint: "--key-rule truncated is for servers before 2022.3"
      ) { HomeAssistantKey.hexadecimal($0) }
    case "truncated":
      return try FormatSecret(arguments).read(as: "a webhook's secret") { HomeAssistantKey.truncated($0) }
    default: throw .usage("--key-rule is hexadecimal or truncated")
    }
  }
}

extension ZulipKey {
  /// The key of the file that `--secret` names.
  init(_ arguments: Arguments) throws(ToolError) {
    self = try FormatSecret(arguments).read(
      number: "push_key_id", "push_key",
      as: "a JSON object with push_key_id and push_key, as they were registered"
    ) { id, key in UInt32(exactly: id).flatMap { ZulipKey(id: $0, pushKey: key) } }
  }
}

extension OpenSSLSalted {
  /// The format under the password of the file that `--secret` names.
  init(_ arguments: Arguments) throws(ToolError) {
    let (derivation, member) = (try arguments.derivation(), try arguments.member() ?? .default)
    self = try FormatSecret(arguments).read(
      as: "a password of 1 to \(Self.maximumPasswordSize) bytes"
    ) { .unauthenticated(password: $0, derivation: derivation, member: member) }
  }
}
