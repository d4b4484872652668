import PushCompat

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

  /// The options that say more of it, beside those of all formats.
  private var parameters: [String] {
    switch self {
    case .openSSLSalted: ["--member", "--derivation", "--digest", "--iterations", "--unauthenticated"]
    case .bark: ["--mode", "--iv", "--unauthenticated"]
    case .webPush, .webPushDraft: ["--carriage"]
    case .sodiumSealedBox: ["--member"]
    case .zulip: []
    case .homeAssistant: ["--key-rule"]
    }
  }

  /// The one of `formats` that `--format` names, with no option that it does not have; null without `--format`.
  ///
  /// One without authentication must be asked for by `--unauthenticated`, and only such a one may be.
  init?(_ arguments: Arguments, among formats: [ForeignFormat] = allCases) throws(ToolError) {
    guard let name = arguments["--format"] else { return nil }
    guard let format = Self.allCases.first(where: { $0.name == name }) else {
      throw .usage("--format is \(Self.list(formats))")
    }
    guard formats.contains(format) else {
      throw .usage("\(name) is opened, and not written", hint: "--format is \(Self.list(formats))")
    }
    for option in Option.ofFormats where arguments.isGiven(option) && !format.parameters.contains(option) {
      throw .usage(
        option == "--unauthenticated"
          ? "\(name) has authentication, and --unauthenticated is for those without"
          : "\(option) is nothing that \(name) has")
    }
    self = format
    try checkAuthentication(arguments)
  }

  private func checkAuthentication(_ arguments: Arguments) throws(ToolError) {
    let isAuthentic =
      self == .bark ? try BarkMode(arguments) == .gcm : !parameters.contains("--unauthenticated")
    switch (isAuthentic, arguments.has("--unauthenticated")) {
    case (false, false):
      let name = self == .bark ? "bark in mode \(try BarkMode(arguments).rawValue)" : name
      throw .usage(
        "\(name) has no authentication: whoever carries a message can alter what opens, and nobody notices",
        hint: "--unauthenticated says that you know")
    case (true, true):
      throw .usage("bark in mode gcm has authentication, and --unauthenticated is for the other modes")
    default: return
    }
  }

  /// Names as a sentence has them.
  private static func list(_ formats: [ForeignFormat]) -> String {
    let names = formats.map(\.name)
    return "\(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
  }
}

/// How Bark's messages are encrypted, as `--mode` names it.
enum BarkMode: String {
  case cbc, gcm, ecb

  /// The mode that is asked for, or else the app's own.
  init(_ arguments: Arguments) throws(ToolError) {
    guard let mode = BarkMode(rawValue: arguments["--mode"] ?? "cbc") else {
      throw .usage("--mode is cbc, gcm or ecb")
    }
    self = mode
  }
}
