import PushCompat
import PushCore
import PushReceiver

/// Another system's envelope, as `--format` names it.
enum ForeignFormat: CaseIterable {
  case openSSLSalted, bark, webPush, webPushDraft, sodiumSealedBox, zulip, homeAssistant

  /// Its name, which is the library's.
  var name: String {
    switch self {
    case .openSSLSalted: OpenSSLSalted.name
    case .bark: Bark.name
    case .webPush: WebPush.name
    case .webPushDraft: WebPushDraft.name
    case .sodiumSealedBox: SodiumSealedBox.name
    case .zulip: Zulip.name
    case .homeAssistant: HomeAssistant.name
    }
  }

  /// Those that are written, not only read.
  static let written: [ForeignFormat] = [.openSSLSalted, .webPush, .sodiumSealedBox, .zulip]

  /// The options that only some formats have, and this one has.
  private var parameters: [OptionName] {
    switch self {
    case .openSSLSalted:
      [
        Option.member.name, Option.derivation.name, Option.digest.name, Option.iterations.name,
        Flag.unauthenticated.name,
      ]
    case .bark: [Option.mode.name, Option.initializationVector.name, Flag.unauthenticated.name]
    case .webPush, .webPushDraft: [Option.carriage.name]
    case .sodiumSealedBox: [Option.member.name]
    case .zulip: []
    case .homeAssistant: [Option.keyRule.name]
    }
  }

  /// Reads `--format`, and checks that no given option belongs to other formats only; nil without `--format`.
  ///
  /// `--unauthenticated` must be given for a format without authentication, and for no other.
  init?(from arguments: Arguments, among formats: [ForeignFormat] = allCases) throws(ToolError) {
    guard let name = arguments[.format] else { return nil }
    guard let format = Self.allCases.first(where: { $0.name == name }) else {
      throw .usage("\(Option.format) must be \(Self.list(of: formats))")
    }
    guard formats.contains(format) else {
      throw .usage(
        "\(name) can be opened, but not written", hint: "--format must be \(Self.list(of: formats))")
    }
    for option in Parameter.ofFormats where arguments.isGiven(option) && !format.parameters.contains(option) {
      throw .usage(
        option == Flag.unauthenticated.name
          ? "\(name) is authenticated, and --unauthenticated is for formats that are not"
          : "\(option) does not apply to \(name)")
    }
    self = format
    try checkAuthentication(arguments: arguments)
  }

  private func checkAuthentication(arguments: Arguments) throws(ToolError) {
    let isAuthentic =
      self == .bark
      ? try BarkMode(from: arguments) == .gcm : !parameters.contains(Flag.unauthenticated.name)
    switch (isAuthentic, arguments.has(.unauthenticated)) {
    case (false, false):
      let name = self == .bark ? "bark in mode \(try BarkMode(from: arguments).rawValue)" : name
      throw .usage(
        "\(name) is not authenticated: messages can be altered in transit without anyone noticing",
        hint: "add --unauthenticated to accept that")
    case (true, true):
      throw .usage("bark in mode gcm is authenticated, and \(Flag.unauthenticated) is for the other modes")
    default: return
    }
  }

  /// The formats' names, as a sentence lists them.
  private static func list(of formats: [ForeignFormat]) -> String {
    let names = formats.map(\.name)
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }
}

/// How Bark's messages are encrypted, as `--mode` names it.
enum BarkMode: String, CaseIterable {
  case cbc, gcm, ecb

  /// The given mode, or the app's default.
  init(from arguments: Arguments) throws(ToolError) {
    self = try arguments[.mode] ?? .cbc
  }
}

extension ForeignFormat {
  /// Makes what opens payloads of this format, with the given secret and options.
  func opener(from arguments: Arguments) throws(ToolError) -> any EnvelopeFormat {
    switch self {
    case .openSSLSalted: return try OpenSSLSalted(from: arguments)
    case .bark: return try Self.bark(from: arguments)
    case .webPush:
      let carriage = try arguments[.carriage] ?? .z85
      return WebPush(keys: try Self.webPushKeys(from: arguments), carriage: carriage)
    case .webPushDraft:
      let carriage = try arguments[.carriage] ?? .z85
      return WebPushDraft(keys: try Self.webPushKeys(from: arguments), carriage: carriage)
    case .sodiumSealedBox: return try Self.sealedBox(from: arguments)
    case .zulip: return Zulip(keys: [try ZulipKey(from: arguments)])
    case .homeAssistant: return HomeAssistant(key: try Self.homeAssistantKey(from: arguments))
    }
  }

  private static func bark(from arguments: Arguments) throws(ToolError) -> Bark {
    let (mode, vector) = (
      try BarkMode(from: arguments), arguments[.initializationVector].map { Array($0.utf8) }
    )
    guard mode != .ecb || vector == nil else {
      throw .usage("bark in mode ecb takes no \(Option.initializationVector)")
    }
    let size = mode == .gcm ? 12 : 16
    guard vector == nil || vector?.count == size else {
      throw .usage("\(Option.initializationVector) in mode \(mode.rawValue) must have \(size) bytes")
    }
    return try FormatSecret(from: arguments).read(as: "a Bark key of 16, 24 or 32 characters") { key in
      switch mode {
      case .cbc: .unauthenticatedCBC(key: key, initializationVector: vector)
      case .gcm: .gcm(key: key, initializationVector: vector)
      case .ecb: .unauthenticatedECB(key: key)
      }
    }
  }

  private static func webPushKeys(from arguments: Arguments) throws(ToolError) -> WebPushKeys {
    try FormatSecret(from: arguments).read(
      "private_key", "auth", as: "a JSON object with private_key and auth in base64url, of 32 and 16 bytes"
    ) { WebPushKeys(privateKeyText: $0, auth: $1) }
  }

  private static func sealedBox(from arguments: Arguments) throws(ToolError) -> SodiumSealedBox {
    let member = try arguments[.member]?.text ?? SodiumSealedBox.defaultMember
    return try FormatSecret(from: arguments).read(as: "a private key in base64, of 32 bytes") { key in
      SodiumSealedBox(privateKeyText: key, member: member)
    }
  }

  private static func homeAssistantKey(from arguments: Arguments) throws(ToolError) -> HomeAssistantKey {
    switch try arguments[.keyRule] ?? .hexadecimal {
    case .hexadecimal:
      return try FormatSecret(from: arguments).read(
        as: "64 hexadecimal digits", hint: "--key-rule truncated is for servers before 2022.3"
      ) { HomeAssistantKey.hexadecimal(secret: $0) }
    case .truncated:
      return try FormatSecret(from: arguments).read(as: "a webhook's secret") {
        HomeAssistantKey.truncated(secret: $0)
      }
    }
  }
}

extension ZulipKey {
  /// The key of the file that `--secret` names.
  init(from arguments: Arguments) throws(ToolError) {
    self = try FormatSecret(from: arguments).read(
      number: "push_key_id", text: "push_key",
      as: "a JSON object with push_key_id and push_key, as they were registered"
    ) { id, key in UInt32(exactly: id).flatMap { ZulipKey(id: $0, pushKey: key) } }
  }
}

extension OpenSSLSalted {
  /// The format under the password of the file that `--secret` names.
  init(from arguments: Arguments) throws(ToolError) {
    let (derivation, member) = (try arguments.derivation(), try arguments[.member] ?? .default)
    self = try FormatSecret(from: arguments).read(
      as: "a password of 1 to \(Self.maximumPasswordSize) bytes"
    ) { .unauthenticated(password: $0, derivation: derivation, member: member) }
  }
}

extension ForeignFormat {
  /// Seals a plaintext, and returns the payload's members that carry it.
  typealias Writer = ([UInt8]) throws(EnvelopeFormatError) -> JSONObject

  /// Makes what seals payloads of this format, with the given secret and options.
  func writer(from arguments: Arguments) throws(ToolError) -> Writer {
    switch self {
    case .openSSLSalted:
      let format = try OpenSSLSalted(from: arguments)
      return { (plaintext) throws(EnvelopeFormatError) in
        [format.member.text: .string(try format.seal(plaintext.span))]
      }
    case .webPush:
      let (carriage, subscription) = (
        try arguments[.carriage] ?? .z85, try Self.subscription(from: arguments)
      )
      return { (plaintext) throws(EnvelopeFormatError) in
        let body = try WebPush.seal(plaintext.span, to: subscription)
        return carriage.members(of: body.span)
      }
    case .sodiumSealedBox:
      let member = try arguments[.member]?.text ?? SodiumSealedBox.defaultMember
      let recipient = try Self.boxRecipient(from: arguments)
      return { (plaintext) throws(EnvelopeFormatError) in
        [member: .string(try SodiumSealedBox.seal(plaintext.span, to: recipient))]
      }
    case .zulip:
      let key = try ZulipKey(from: arguments)
      return { (plaintext) throws(EnvelopeFormatError) in try Zulip.seal(plaintext.span, with: key) }
    case .bark, .webPushDraft, .homeAssistant: throw .usage("\(name) can be opened, but not written")
    }
  }

  private static func subscription(from arguments: Arguments) throws(ToolError) -> WebPushSubscription {
    try FormatSecret(from: arguments).read(
      "p256dh", "auth", within: "keys",
      as: "a subscription: a JSON object with p256dh and auth in base64url, of 65 and 16 bytes"
    ) { WebPushSubscription(p256dh: $0, auth: $1) }
  }

  private static func boxRecipient(from arguments: Arguments) throws(ToolError) -> SodiumRecipient {
    try FormatSecret(from: arguments).read(as: "a public key in base64, of 32 bytes") { key in
      SodiumRecipient(publicKeyText: key)
    }
  }
}
