internal import PushCommands
internal import PushCore
internal import PushDelivery

extension APNsKeys {
  /// The keys of `--routes`, or the one of `--key-file`, `--key-id` and `--team-id`.
  init(from arguments: Arguments) throws(ToolError) {
    let source = SourceOptions.keyFile
    guard let path = arguments[.routes] else {
      guard arguments.isGiven(source) || arguments.isGiven(.keyID) || arguments.isGiven(.teamID) else {
        throw .usage(
          "give \(source.file) FILE, \(Option.keyID) ID and \(Option.teamID) ID, or \(Option.routes) FILE")
      }
      self.init(try ProviderToken(from: arguments))
      return
    }
    guard !arguments.isGiven(source), !arguments.isGiven(.keyID), !arguments.isGiven(.teamID) else {
      throw .usage(
        "\(Option.routes) goes without \(source.file), \(Option.keyID) and \(Option.teamID): the file has them"
      )
    }
    try self.init(of: RoutesFile(path: path))
  }

  /// The keys of a file of routes.
  init(of file: RoutesFile) throws(ToolError) {
    var tokens: [ProviderToken] = []
    var keys: [APNsKey] = []
    for entry in file.entries {
      let new = try entry.token()
      // APNs limits how often a team's token changes: a key has one, however many entries have the key.
      let token = tokens.first { $0.isSame(as: new) } ?? new
      tokens.append(token)
      keys.append(
        APNsKey(token, topics: entry.topics, environments: entry.environments, proxy: try entry.routeProxy()))
    }
    do throws(ConfigurationError) {
      try self.init(keys)
    } catch {
      throw ToolError(
        .badData, "\(file.path): \(error)", hint: "each app has one key in each environment")
    }
  }
}

extension ProviderToken {
  /// The key of `--key-file`, `--key-id` and `--team-id`.
  fileprivate convenience init(from arguments: Arguments) throws(ToolError) {
    guard let keyID = arguments[.keyID] else { throw .usage("\(Option.keyID) ID is missing") }
    guard let teamID = arguments[.teamID] else { throw .usage("\(Option.teamID) ID is missing") }
    let secret = try FormatSecret(from: KeySource(required: .keyFile, from: arguments), what: "the .p8 file")
    do throws(ProviderTokenError) {
      try self.init(p8: secret.bytes, keyID: keyID, teamID: teamID)
    } catch {
      switch error {
      case .keyID: throw .usage("\(Option.keyID): \(error)")
      case .teamID: throw .usage("\(Option.teamID): \(error)")
      default: throw ToolError(.badData, "\(secret.path): \(error)")
      }
    }
  }
}

extension RoutesFile.Entry {
  /// The entry's key, from a file to which only its owner may have access.
  fileprivate func token() throws(ToolError) -> ProviderToken {
    guard let keyID = keyID ?? ProviderToken.keyID(inNameOf: keyFile) else {
      throw ToolError(
        .badData, "\(place): key_id is missing", hint: "only the name of a file AuthKey_….p8 has the key's ID"
      )
    }
    let secret = try FormatSecret(from: .file(keyFile), what: "the .p8 file")
    do throws(ProviderTokenError) {
      return try ProviderToken(p8: secret.bytes, keyID: keyID, teamID: teamID)
    } catch {
      switch error {
      case .keyID, .teamID: throw ToolError(.badData, "\(place): \(error)")
      default: throw ToolError(.badData, "\(keyFile): \(error)")
      }
    }
  }

  fileprivate func routeProxy() throws(ToolError) -> RouteProxy {
    switch proxy {
    case .usual: return .configured
    case .none: return .none
    case .url(let url):
      let proxy: HTTPProxy
      do throws(HTTPProxyError) {
        proxy = try HTTPProxy(url: url)
      } catch {
        throw ToolError(.badData, "\(place): proxy: \(error)")
      }
      guard !proxy.hasCredentials else {
        throw ToolError(
          .badData, "\(place): proxy takes no user and no password, because the file has no secrets",
          hint: "put the URL into a file of its own, which only its owner can read: proxy_file")
      }
      return .proxy(proxy)
    case .file(let path):
      let secret = try FormatSecret(path: path)
      return .proxy(
        try secret.read(as: "the URL of an HTTP proxy", hint: "http://USER:PASSWORD@HOST:PORT") {
          try? HTTPProxy(url: $0)
        })
    }
  }
}

extension Option<String> {
  static var keyID: Self { Self("--key-id", "ID") }
  static var teamID: Self { Self("--team-id", "ID") }
}
