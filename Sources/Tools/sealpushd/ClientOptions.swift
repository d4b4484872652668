internal import PushCommands
internal import PushDelivery
internal import PushSealer

extension Option {
  /// The team's key, and where APNs is.
  static let apns: [Option] = [
    .required("--key-file", value: "FILE", "the .p8 file from Apple", file: .input),
    .required("--key-id", value: "ID", "the key's ID, 10 letters and digits"),
    .required("--team-id", value: "ID", "the team's ID, 10 letters and digits"),
    .optional("--endpoint", value: "HOST:PORT", "a server that plays APNs; default: Apple's"),
    .optional(
      "--trust", value: "FILE", "a root certificate in PEM to trust besides the system's", file: .input),
  ]
}

extension APNsClient {
  /// The client that the options describe.
  convenience init(from arguments: Arguments, retries: RetryPolicy) async throws(ToolError) {
    let secret = try FormatSecret(from: arguments, option: "--key-file")
    let token: ProviderToken
    do throws(ProviderTokenError) {
      token = try ProviderToken(
        p8: secret.bytes, keyID: arguments["--key-id"] ?? "", teamID: arguments["--team-id"] ?? "")
    } catch {
      switch error {
      case .keyID: throw .usage("--key-id: \(error)")
      case .teamID: throw .usage("--team-id: \(error)")
      default: throw ToolError(.badData, "\(secret.path): \(error)")
      }
    }
    var configuration = APNsConfiguration()
    if let server = try await APNsConfiguration.Server(from: arguments) {
      configuration.servers = [.production: server, .sandbox: server]
    }
    configuration.additionalRoot = try arguments["--trust"].map { (path) throws(ToolError) in
      try FileInput.read(from: path)
    }
    configuration.retries = retries
    do throws(APNsConfigurationError) {
      try self.init(token: token, configuration: configuration)
    } catch {
      throw ToolError(.badData, "\(arguments["--trust"] ?? "--trust") is not a certificate in PEM")
    }
  }
}

extension APNsConfiguration.Server {
  /// The server of `--endpoint`; nil if none is given.
  fileprivate init?(from arguments: Arguments) async throws(ToolError) {
    guard let text = arguments["--endpoint"] else { return nil }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { throw .usage("--endpoint is a host and a port, such as 127.0.0.1:2197") }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self.init(host: String(host), port: port)
    guard isValid else { throw .usage("--endpoint: '\(host)' is no name and no IP address") }
    guard await !hasNoHost else { throw .usage("--endpoint: there is no host '\(host)'") }
  }
}
