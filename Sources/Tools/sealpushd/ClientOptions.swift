internal import PushCommands
internal import PushDelivery
internal import PushSealer

extension Parameter {
  /// The team's key, and where APNs is.
  static let apns: [Parameter] = [
    .required(.keyFile, "the .p8 file from Apple"),
    .required(.keyID, "the key's ID, 10 letters and digits"),
    .required(.teamID, "the team's ID, 10 letters and digits"),
    .optional(.endpoint, "a server that plays APNs; default: Apple's"),
    .optional(.trust, "a root certificate in PEM to trust besides the system's"),
  ]
}

extension APNsClient {
  /// The client that the options describe.
  convenience init(
    from arguments: Arguments, retries: RetryPolicy, report: (@Sendable (DeliveryEvent) -> Void)? = nil
  ) async throws(ToolError) {
    let secret = try FormatSecret(from: arguments, option: .keyFile)
    let token: ProviderToken
    do throws(ProviderTokenError) {
      token = try ProviderToken(
        p8: secret.bytes, keyID: arguments[.keyID] ?? "", teamID: arguments[.teamID] ?? "")
    } catch {
      switch error {
      case .keyID: throw .usage("\(Option.keyID): \(error)")
      case .teamID: throw .usage("\(Option.teamID): \(error)")
      default: throw ToolError(.badData, "\(secret.path): \(error)")
      }
    }
    var configuration = APNsConfiguration()
    if let server = try await APNsConfiguration.Server(from: arguments) {
      configuration.servers = [.production: server, .sandbox: server]
    }
    configuration.additionalRoot = try arguments[.trust].map { (path) throws(ToolError) in
      try FileInput.read(from: path)
    }
    configuration.retries = retries
    do throws(ConfigurationError) {
      try self.init(token: token, configuration: configuration, report: report)
    } catch {
      throw ToolError(
        .badData, "\(arguments[.trust] ?? "\(Option.trust)") is not a certificate in PEM")
    }
  }
}

extension APNsConfiguration.Server {
  /// The server of `--endpoint`; nil if none is given.
  fileprivate init?(from arguments: Arguments) async throws(ToolError) {
    guard let text = arguments[.endpoint] else { return nil }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { throw .usage("\(Option.endpoint) is a host and a port, such as 127.0.0.1:2197") }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self.init(host: String(host), port: port)
    guard isValid else { throw .usage("\(Option.endpoint): '\(host)' is no name and no IP address") }
    guard await !hasNoHost else { throw .usage("\(Option.endpoint): there is no host '\(host)'") }
  }
}

extension Option<String> {
  fileprivate static var keyFile: Self { Self("--key-file", "FILE", file: .input) }
  fileprivate static var keyID: Self { Self("--key-id", "ID") }
  fileprivate static var teamID: Self { Self("--team-id", "ID") }
  fileprivate static var endpoint: Self { Self("--endpoint", "HOST:PORT") }
  fileprivate static var trust: Self { Self("--trust", "FILE", file: .input) }
}
