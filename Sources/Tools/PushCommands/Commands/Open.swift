import PushCompat
import PushCore
import PushReceiver
import PushSealer

extension Command {
  static let open = Command(
    name: ["open"], summary: "open a sealed payload",
    details: """
      Writes the exact payload that was sealed; a message on standard error names the suite. If the output is
      a terminal, characters that could control it or hide text are escaped. If the payload does not open,
      nothing is written, the reason goes to standard error, and the exit status is 65.

      With --push-type it opens payloads that the app itself asks to open, such as a VoIP push or the state of
      a Live Activity, and only those of that type: the sender signs the push type. --data is the same as
      --push-type background. With fcm or fcm-data it reads an FCM message, or its "data".
      """,
    otherDetails: """
      With --format it opens another system's envelope, and writes its exact plaintext. These are the values
      of --format, and what the --secret file must contain. Only its owner may have access to that file.

        openssl-salted     openssl enc -aes-256-cbc; a password, on one line
        bark               the Bark app; the key, as it was entered there
        webpush-aes128gcm  Web Push through a relay; {"private_key":…,"auth":…} in base64url
        webpush-aesgcm     the older Web Push draft; the same
        sodium-sealed-box  libsodium's crypto_box_seal; the private key in base64
        zulip              Zulip; {"push_key_id":…,"push_key":…}, as the app registered them
        home-assistant     Home Assistant; the webhook's secret

      None of these formats proves who sent a message, or protects from replay. openssl-salted, and bark in
      the modes cbc and ecb, also open messages that were altered in transit: they need --unauthenticated.
      """,
    examples: [
      """
      sealpush open --keys device.jwks --senders sender.pub.jwks --topic com.example.app \\
          --in sealed.json --out opened.json
      """,
      "sealpush open --format openssl-salted --secret password --unauthenticated --in salted.json",
    ],
    options: (Receiver.options + [.pushType, .flag(.data, "open a background push")]).map { option in
      option.name == Option.input.name ? option : option.without(.format)
    } + [
      .output, .force,
      .optional(.format, "open another system's envelope: open --format --help explains it")
        .offering(ForeignFormat.allCases.map(\.name)),
    ]
      + Parameter.formatOpening
  ) { (arguments, console) throws(ToolError) in
    if let format = try ForeignFormat(from: arguments) {
      return try open(as: format, arguments: arguments, console: console)
    }
    let type = try arguments[.pushType]
    let pushType = type?.pushType ?? (arguments.has(.data) ? .background : .alert)
    let receiver = try Receiver(from: arguments)
    let payload = try FileInput.payload(from: arguments[.input], over: type?.service ?? .apns)
    let message: OpenedMessage
    do throws(DegradeReason) {
      let key = receiver.envelopeKey
      message =
        try pushType == .alert
        ? receiver.open(IncomingPush(payload: payload, envelopeKey: key))
        : receiver.openData(EnvelopeField(data: payload, envelopeKey: key), as: pushType.contentType)
    } catch {
      let other = ForeignEnvelope(in: payload, besides: receiver.envelopeKey).map(FormatFailure.hint)
      throw ToolError(.badData, "\(error.rawValue): \(error.explanation)", hint: other ?? error.remedy)
    }
    let output = try FileOutput(path: arguments[.output], replaces: arguments.has(.force))
    let done = "opened with \(message.opened.suite.name)"
    // The payload does not end in a line feed, so on a terminal the note comes before it.
    let isOnTerminal = (arguments[.output] ?? "-") == "-" && console.isTerminal
    if isOnTerminal { console.note(done) }
    try output.write(message.json, as: .json, isPrivate: true, console: console)
    if !isOnTerminal { console.note(done) }
  }

  private static func open(
    as format: ForeignFormat, arguments: Arguments, console: Console
  ) throws(ToolError) {
    let opener = try format.opener(from: arguments)
    let payload = try FileInput.payload(from: arguments[.input])
    let plaintext: [UInt8]
    do throws(EnvelopeFormatError) {
      plaintext = try opener.open(payload)
    } catch {
      throw FormatFailure.describe(error, opening: payload, as: format)
    }
    try FileOutput(path: arguments[.output], replaces: arguments.has(.force)).write(
      plaintext, as: .text, isPrivate: true, console: console)
  }
}

extension Flag {
  fileprivate static let data = Flag("--data")
}
