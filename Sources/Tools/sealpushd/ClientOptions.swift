internal import PushCommands
internal import PushDelivery
internal import PushSealer

extension Parameter {
  /// The teams' keys, and where APNs is.
  static let apns: [Parameter] = [
    .keySource(.keyFile, "the .p8 file from Apple", isRequired: false),
    .keyDescriptor(.keyFile),
    .optional(.keyID, "the key's ID, 10 letters and digits"),
    .optional(.teamID, "the team's ID, 10 letters and digits"),
    .optional(.routes, "a file of the keys of several apps or teams, in place of --key-file"),
    .optional(.endpoint, "a stand-in for APNs, or an Apple server with port 2197; default: Apple's"),
    .optional(.trust, "a root certificate in PEM to trust besides the system's"),
    .optional(.proxy, "an HTTP proxy to reach APNs through, or none; default: HTTPS_PROXY"),
  ]
}

extension APNsClient {
  /// The client that the options describe; with `isOffline`, nobody is asked whether there is its server.
  convenience init(
    from arguments: Arguments, retries: RetryPolicy, isOffline: Bool = false,
    report: (@Sendable (DeliveryEvent) -> Void)? = nil
  ) async throws(ToolError) {
    let keys = try APNsKeys(from: arguments)
    var configuration = APNsConfiguration()
    try configuration.useProxy(from: arguments)
    if let server = try APNsConfiguration.Server(from: arguments) {
      try await configuration.use(server, with: keys, isOffline: isOffline)
    }
    configuration.additionalRoot = try arguments[.trust].map { (path) throws(ToolError) in
      guard !configuration.servers.isEmpty else {
        throw .usage("\(Option.trust) is for a server that plays APNs: give its \(Option.endpoint)")
      }
      guard path != "-" else { return try FileInput.read(from: path) }
      return try TrustedFile.read(
        from: path, atMost: 1 << 20, namedBy: "\(Option.trust)",
        insteadOfOthers: "use a copy that is yours")
    }
    configuration.retries = retries
    do throws(ConfigurationError) {
      try self.init(keys: keys, configuration: configuration, report: report)
    } catch {
      throw ToolError(
        .badData, "\(arguments[.trust] ?? "\(Option.trust)") is not a certificate in PEM")
    }
  }
}

extension APNsConfiguration {
  /// Sends to the server of `--endpoint`.
  ///
  /// One of Apple's takes pushes of one environment only, so its address chooses the port alone.
  fileprivate mutating func use(
    _ server: Server, with keys: APNsKeys, isOffline: Bool
  ) async throws(ToolError) {
    guard server.isApples else {
      // Only a proxy looks up the names of servers that are reached through it.
      if !isOffline, isReachedDirectly(server, with: keys), await server.hasNoHost {
        throw .usage("\(Option.endpoint): there is no host '\(server.host)'")
      }
      servers = [.production: server, .sandbox: server]
      return
    }
    guard Self.applePorts.contains(server.port) else {
      throw .usage("\(Option.endpoint): Apple's servers have the ports 443 and 2197")
    }
    applePort = server.port
  }
}

extension APNsConfiguration.Server {
  /// Whether it is one of Apple's.
  fileprivate var isApples: Bool {
    let name = host.lowercased()
    return APNsConfiguration.appleHosts.contains(name.hasSuffix(".") ? String(name.dropLast()) : name)
  }

  /// The server of `--endpoint`; nil if none is given.
  fileprivate init?(from arguments: Arguments) throws(ToolError) {
    guard let text = arguments[.endpoint] else { return nil }
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
    else { throw .usage("\(Option.endpoint) must be a host and a port, such as 127.0.0.1:2197") }
    var host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    self.init(host: String(host), port: port)
    guard isValid else { throw .usage("\(Option.endpoint): '\(host)' is neither a name nor an IP address") }
  }
}

extension Option<String> {
  fileprivate static var endpoint: Self { Self("--endpoint", "HOST:PORT") }
  fileprivate static var trust: Self { Self("--trust", "FILE", file: .input) }
}
