internal import PushCommands
internal import PushDelivery
internal import PushKeys
internal import PushCore
internal import PushSealer

extension Command {
  static let send = Command(
    of: "sealpushd", name: ["send"], summary: "seal an APNs payload, and deliver it through APNs",
    details: """
      Reads an ordinary payload, as sealpush seal does, seals it to a device, sends it to APNs, and prints APNs'
      answer. Name the device by its public set and its token (--to, --token-file), or by its registration
      (--recipients, --device), which has both and the environment.

      --key-file is the .p8 file from Apple. Only its owner may have access to it. The file's name has the key ID.

      With --lines, each line of input is as for sealpush seal --lines. Each push has a line of output when its
      answer arrives: {"line":N,"device":…,"status":…,"verdict":…,"apns_id":…,"reason":…}, or
      {"line":N,"error":…,"message":…} if it was not sealed or has no answer. "id" is repeated. To try a line again,
      use the "message_id" of its answer. If not all were accepted, the exit status is 77 if APNs refuses the key,
      75 if all the others can be tried again, and 65 otherwise.

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
    ] + Parameter.deviceToken("the device token to go with --to") + [
      .optional(.recipients, "registered devices"),
      .optional(.device, "the one of them to send to"),
      .flag(.lines, "send one message per line, instead of one payload to one device"),
      .optional(.skip, "skip the first N lines"),
      .flag(.sandbox, "the token is of an app that Xcode installed, unless the registration says more"),
      .optional(.timeout, "how long to try; default: 60s, and 1h with --lines"),
    ] + Parameter.apns + Parameter.signing + Parameter.message + Parameter.passphrase + [.input]
  ) { (arguments, console) throws(ToolError) in
    let mail = try await SendRequest(from: arguments)
    if arguments.has(.lines) {
      try await mail.sendLines(arguments: arguments, console: console)
    } else {
      try await mail.sendOne(arguments: arguments, console: console)
    }
  }
}

/// A client of APNs, and what seals for it.
private struct SendRequest {
  private let request: SealRequest
  private let client: APNsClient
  private let environment: APNsEnvironment
  private let token: DeviceToken?

  init(from arguments: Arguments) async throws(ToolError) {
    let others = [Option.to.name, Option.token.name, Option.tokenFile.name, Flag.lines.name]
    for name in others where arguments.isGiven(name) && arguments.isGiven(.device) {
      throw .usage("\(name) and \(Option.device.name) exclude each other", hint: "sealpushd send --help")
    }
    token = try arguments.deviceToken()
    environment = arguments.has(.sandbox) ? .sandbox : .production
    let time = try arguments[.timeout] ?? .seconds(arguments.has(.lines) ? 3600 : 60)
    var retries = RetryPolicy()
    retries.totalTime = time
    // The lines of a file wait for their route: each has its own time.
    retries.patience = time * 2
    client = try await APNsClient(from: arguments, retries: retries)
    request = try SealRequest(from: arguments)
  }

  func sendOne(arguments: Arguments, console: Console) async throws(ToolError) {
    let (recipient, address) = try device(arguments: arguments, console: console)
    let push = try request.seal(arguments: arguments, to: recipient, console: console)
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

  private func device(
    arguments: Arguments, console: Console
  ) throws(ToolError) -> (Recipient, DeviceAddress) {
    let topic = try arguments.required(.topic)
    if let name = arguments[.device] {
      guard arguments.isGiven(.recipients) else { throw .usage("--device needs --recipients") }
      let (device, recipient) = try request.device(named: name, arguments: arguments)
      return (
        recipient,
        DeviceAddress(topic: topic, environment: device.environment ?? environment, token: device.token)
      )
    }
    guard arguments.isGiven(.to), let token else {
      throw .usage(
        "give --to FILE and --token HEX, or --recipients FILE and --device NAME",
        hint: "sealpushd send --help")
    }
    return (
      try request.recipient(arguments: arguments, console: console),
      DeviceAddress(topic: topic, environment: environment, token: token)
    )
  }

  func sendLines(arguments: Arguments, console: Console) async throws(ToolError) {
    let ofOne = [Option.messageID.name, Option.issuedAt.name, Option.collapseID.name]
    for name in ofOne where arguments.isGiven(name) {
      throw .usage("\(name) and --lines exclude each other", hint: "sealpushd send --help")
    }
    let lines = try LinePushes(from: arguments, request: request, console: console)
    let output = SentLines(console: console)
    let jobs = AddressedLines(
      lines: lines, topic: try arguments.required(.topic), environment: environment, token: token,
      output: output)
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
