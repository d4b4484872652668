internal import PushCommands
internal import PushDelivery
internal import PushKeys
internal import PushCore
internal import PushSealer

extension Command {
  static let send = Command(
    of: "sealpushd", name: ["send"], summary: "seal an APNs payload, and deliver it through APNs",
    details: """
      Reads an ordinary payload, as sealpush seal does, seals it to a device, sends it to APNs, and prints
      APNs' answer. Name the device by its public set and its token (--to, --token-file), or by its
      registration (--recipients, --device), which has both and the environment. Push types with tokens of
      their own, such as liveactivity, need --token or --token-file with --device, too.

      --key-file is the .p8 file from Apple. Only its owner may have access to it. The file's name contains
      the key ID.

      --routes takes the place of --key-file, --key-id and --team-id. It names a worker's file of routes,
      which has the app's key, and the proxy to reach APNs through.

      With --lines, each line of input is as for sealpush seal --lines. Each push gets a line of output when
      its answer arrives: {"line":N,"device":…,"status":…,"verdict":…,"apns_id":…,"reason":…}, or
      {"line":N,"error":…,"message":…} if it was not sealed or has no answer. Both repeat "id". To try a line
      again, use the "message_id" of its answer. If not all were accepted, the exit status is 77 if APNs
      refuses the key, 75 if all the others can be tried again, and 65 otherwise.

      While it tries again, it prints on standard error what it waits for, once for each reason.

      To reach APNs through an HTTP proxy, put the proxy's URL into the environment, as HTTPS_PROXY or
      https_proxy: http://HOST:PORT or http://USER:PASSWORD@HOST:PORT. NO_PROXY or no_proxy lists servers that
      are reached without it; servers on this machine always are. --proxy overrides the environment; it takes
      no password, because every user of the machine can see arguments.

      To try it without Apple, start sealpushd apns, and add --endpoint 127.0.0.1:2197 --trust apns-root.pem.
      """,
    examples: [
      """
      sealpushd send --to device.pub.jwks --token 00ff --from sender.jwks --topic com.example.app \\
          --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 --team-id FGHIJ67890 --in payload.json
      """,
      """
      sealpushd send --lines --recipients registrations --from sender.jwks --topic com.example.app \\
          --key-file AuthKey_ABCDE12345.p8 --key-id ABCDE12345 --team-id FGHIJ67890 --in jobs.jsonl
      """,
    ],
    options: [
      .optional(.to, "the device's public JWK Set, or a private file of shared keys")
    ] + Parameter.deviceToken("the device token of --to, or that of --device for this push type") + [
      .optional(.recipients, "a file of registered devices"),
      .optional(.device, "the device of --recipients to send to"),
      .flag(.lines, "send one message per line, instead of one payload to one device"),
      .optional(.skip, "skip the first N lines"),
      .flag(.sandbox, "the token is for an app that Xcode installed; not needed with a registration"),
      .optional(.timeout, "how long to try; default: 60s, and 1h with --lines"),
    ] + Parameter.apns + Parameter.signing + Parameter.message + Parameter.placeholder + Parameter.passphrase
      + [.input]
  ) { (arguments, console) throws(ToolError) in
    let request = try SendRequest(parsing: arguments)
    let notes = WaitNotes(console: console)
    let client = try await APNsClient(from: arguments, retries: request.retries) { notes.note($0) }
    let sealing = try PreparedSealing(of: request.message)
    if request.message.isOfLines {
      try await request.sendLines(sealing: sealing, client: client, console: console)
    } else {
      try await request.sendOne(sealing: sealing, client: client, console: console)
    }
  }
}

/// What the options of `send` say, but for the client's.
private struct SendRequest {
  /// Whom a message is for.
  private enum Target {
    /// A registered device, and the file that has it.
    ///
    /// `token` takes the place of the registered one.
    case device(name: String, file: String, token: DeviceToken?)
    /// The recipient of `--to`, by its device token.
    case recipient(DeviceToken)
  }

  /// The message, or what the messages of many lines have in common.
  let message: SealRequest
  /// How long to try.
  let retries: RetryPolicy
  /// Whom the message is for; nil if the options do not say it.
  private let target: Target?
  /// The device token that goes with `--to`.
  private let token: DeviceToken?
  /// The environment of devices that have none of their own.
  private let environment: APNsEnvironment

  init(parsing arguments: Arguments) throws(ToolError) {
    let others = [Option.to.name, Flag.lines.name]
    for name in others where arguments.isGiven(name) && arguments.isGiven(.device) {
      throw .usage("\(name) and \(Option.device) exclude each other", hint: "sealpushd send --help")
    }
    message = try SealRequest(parsing: arguments)
    guard message.service == .apns else {
      throw .usage("sealpushd delivers through APNs alone", hint: "sealpush seal seals for FCM")
    }
    let time = try arguments[.timeout] ?? .seconds(message.isOfLines ? 3600 : 60)
    var retries = RetryPolicy()
    retries.totalTime = time
    // The lines of a file wait for their route: each has its own time.
    retries.patience = time * 2
    self.retries = retries
    environment = arguments.has(.sandbox) ? .sandbox : .production
    token = try arguments.deviceToken()
    if let name = arguments[.device] {
      guard arguments.isGiven(.recipients) else {
        throw .usage("\(Option.device) needs \(Option.recipients)")
      }
      target = .device(name: name, file: try arguments.file(.recipients), token: token)
    } else {
      target = arguments.isGiven(.to) ? token.map { .recipient($0) } : nil
    }
  }

  func sendOne(
    sealing: PreparedSealing, client: APNsClient, console: Console
  ) async throws(ToolError) {
    let (recipient, address, account) = try recipient(sealing: sealing, console: console)
    let push = try sealing.seal(to: recipient, account: account, console: console)
    let response: APNsResponse
    do throws(DeliveryError) {
      response = try await client.send(push, to: address)
    } catch {
      throw error.toolError(of: push)
    }
    client.shutdown()
    guard response.isAccepted else { throw response.error(of: push) }
    try console.print(response.text + "\n")
  }

  /// What to seal to, where to send it, and the device's account if it is known.
  private func recipient(
    sealing: PreparedSealing, console: Console
  ) throws(ToolError) -> (recipient: Recipient, address: DeviceAddress, account: AccountTag?) {
    switch target {
    case .device(let name, let file, let token):
      let (device, recipient) = try sealing.device(named: name, in: file)
      guard let address = device.address.apns else {
        throw ToolError(
          .badData, "\(name): FCM carries the device's messages", hint: "sealpush seal --lines seals them")
      }
      return (
        recipient,
        DeviceAddress(
          topic: address.topic, environment: address.environment, token: token ?? address.token),
        device.account
      )
    case .recipient(let token):
      return (
        try sealing.recipient(console: console),
        DeviceAddress(topic: message.topic, environment: environment, token: token), nil
      )
    case nil:
      throw .usage(
        "give \(Option.to) FILE and \(Option.token) HEX, or \(Option.recipients) FILE and \(Option.device) NAME",
        hint: "sealpushd send --help")
    }
  }

  func sendLines(
    sealing: PreparedSealing, client: APNsClient, console: Console
  ) async throws(ToolError) {
    let lines = try LinePushes(of: sealing, console: console)
    let output = SentLines(console: console)
    let jobs = AddressedLines(
      lines: lines, topic: message.topic, environment: environment, token: token, output: output)
    for try await delivered in client.send(jobs) { try output.write(delivered) }
    client.shutdown()
    lines.endIfInterrupted()
    if let error = output.error { throw error }
  }
}

extension Option<String> {
  fileprivate static var device: Self { Self("--device", "NAME") }
}

extension Flag {
  fileprivate static let sandbox = Flag("--sandbox")
}
