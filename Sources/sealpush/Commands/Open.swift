import PushCompat
import PushPayload
import PushReceiver

extension Command {
  static let open = Command(
    name: ["open"], summary: "open a sealed payload",
    details: """
      Writes the payload that was sealed, exactly. If it does not open, nothing is written, the reason is on
      standard error, and the exit status is 65. With --data it opens what an app itself asks for, such as a
      VoIP push or the state of a Live Activity.

      With --format it opens another system's envelope, and writes its plaintext, exactly. These are the names,
      and what the file of --secret has, which must be its owner's alone:

        openssl-salted     openssl enc -aes-256-cbc; a password, in one line
        bark               the app Bark; the key, as it was typed there
        webpush-aes128gcm  Web Push behind a relay; {"private_key":…,"auth":…} in base64url
        webpush-aesgcm     Web Push's older draft; the same
        sodium-sealed-box  libsodium's crypto_box_seal; the private key in base64
        zulip              Zulip; {"push_key_id":…,"push_key":…}, as the app registered them
        home-assistant     Home Assistant; the webhook's secret

      None of them says who has written it, or that it was not here before. openssl-salted, and bark in its
      modes cbc and ecb, open even what was altered on the way: they open with --unauthenticated alone.
      """,
    options: (Receiver.options + [.flag("--data", "open data and no notification")]).map { option in
      option.name == Option.input.name ? option : option.without("--format")
    } + [.output, .force, .format("open another system's envelope, as listed above")] + Option.formatOpening
  ) { (arguments, console) throws(ToolError) in
    if let format = try ForeignFormat(arguments) { return try open(format, arguments, console) }
    let receiver = try Receiver(arguments)
    let payload = try FileInput.payload(arguments["--in"])
    let message: OpenedMessage
    do throws(DegradeReason) {
      let key = receiver.envelopeKey
      message =
        try arguments.has("--data")
        ? receiver.openData(EnvelopeField(data: payload, envelopeKey: key))
        : receiver.open(IncomingPush(payload: payload, envelopeKey: key))
    } catch {
      let other = ForeignEnvelope(payload, besides: receiver.envelopeKey).map(FormatFailure.hint)
      throw ToolError(.badData, "\(error.rawValue): \(error.explanation)", hint: other ?? error.remedy)
    }
    try FileOutput(arguments["--out"], replaces: arguments.has("--force")).write(
      message.json, isPrivate: true, console)
  }

  private static func open(
    _ format: ForeignFormat, _ arguments: Arguments, _ console: Console
  ) throws(ToolError) {
    let opener = try format.opener(arguments)
    let payload = try FileInput.payload(arguments["--in"])
    let plaintext: [UInt8]
    do throws(EnvelopeFormatError) {
      plaintext = try opener.open(payload)
    } catch {
      throw FormatFailure.describe(error, opening: payload, as: format)
    }
    try FileOutput(arguments["--out"], replaces: arguments.has("--force")).write(
      plaintext, isPrivate: true, console)
  }
}
