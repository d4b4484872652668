import PushAttachments
import PushCore
import PushKeys
import PushReceiver
import PushSealer

extension Command {
  static let seal = Command(
    name: ["seal"], summary: "seal a payload to a device",
    details: """
      Reads an ordinary payload, {"aps":{"alert":{"title":…,"body":…}},…}, and writes the sealed one, without
      a line break at the end. The --headers file gets one header per line, as curl -H @FILE expects. The
      --attach file contains what attach seal printed, one descriptor per line, each with the url of the
      uploaded blob.

      If this system's libraries have the suite xwing-aesgcm, a device's key for it is preferred. With
      --post-quantum required, sealing to a device without such a key (or a shared key) is an error.

      The default --push-type is alert. The default --lifetime depends on the type: 30 days for alert,
      background and complication, 28 days for fcm and fcm-data, 12 hours for liveactivity, a minute for voip,
      and 0 (deliver now or never) for pushtotalk.

      With --push-type fcm or fcm-data it writes a message that Google's FCM carries to an app on Android. The
      content is that of alert and background. The message is the body of a call of FCM's HTTP v1 API:
      {"message":{"android":…,"data":…}}. Add the "token" of the device. --bare writes only the "data", for
      firebase-admin. Priority 10 becomes HIGH, and 5 and 1 become NORMAL; --expiration becomes the ttl, at
      most 28 days; --collapse-id becomes the collapse_key.

      With --lines, each line of input is {"to":…,"payload":{…}}. It may also have "message_id", "issued_at",
      "lifetime", "priority", "collapse_id" and "expiration", which override the options, and "id", a string
      or number that the answer repeats. "to" is a public JWK or JWK Set, or it names a device in the
      --recipients file: by its registration's name or, if the devices have none, by its token, a key's kid or
      a key ID. Lines without "to" go to the --to recipient.

      Each line of the --recipients file is what keys accept stores, or {"v":1,"topic":…,"environment":…,
      "token":…,"keys":{…}}. The file is read again when it has been replaced, and on SIGHUP.

      Each line of output is {"line":N,"suite":…,"headers":{…},"payload":{…}}, in input order. It has
      "device_token" and "environment" if they are known, and "cuts" if anything was cut to make the payload
      fit. Send the payload byte for byte.

      If "to" is an array of devices, or {"person":…}, each device gets its own message ID, and the line of
      output is {"line":N,"pushes":[…]}. For each device the array has {"device":…,"suite":…,"headers":{…},
      "body":"…"} or {"device":…,"error":…,"message":…}; body is the payload as a string.

      A device whose registration has "service":"fcm" gets an FCM message of the same type. Its answer has
      "service", "device_token", "suite" and "message", an object for FCM's HTTP v1 API, but no headers and no
      payload.

      A line that cannot be sealed does not affect the others: the exit status is then 65, and --errors gets a
      line {"line":N,"error":…,"message":…} for it. After Ctrl-C, or if the disk is full, the output has only
      whole lines, and a message says how many lines to --skip to continue. A run with --skip replaces no
      file. If the process is killed, the last line may be incomplete, without a line feed.
      """,
    otherDetails: """
      With --format it reads any plaintext, and writes a payload with another system's envelope and the usual
      placeholder. These are the values of --format, and what the --secret file must contain. Only its owner
      may have access to that file.

        openssl-salted     openssl enc -aes-256-cbc; a password, on one line
        webpush-aes128gcm  Web Push through a relay; a browser's subscription, or its {"p256dh":…,"auth":…}
        sodium-sealed-box  libsodium's crypto_box_seal; the public key in base64
        zulip              Zulip; {"push_key_id":…,"push_key":…}, as the app registered them

      These formats lack what seal provides without --format: sender authentication, an expiry, and replay
      protection. openssl-salted messages can also be altered in transit, so that format needs
      --unauthenticated.
      """,
    examples: [
      """
      sealpush seal --to device.pub.jwks --from sender.jwks --topic com.example.app \\
          --in payload.json --out sealed.json --headers headers.txt --force
      """,
      """
      sealpush seal --lines --recipients registrations --from sender.jwks --topic com.example.app \\
          --in jobs.jsonl --out sealed.jsonl --errors errors.jsonl
      """,
      "sealpush seal --format openssl-salted --secret password --unauthenticated --in text --out salted.json",
    ],
    options: ([
      .optional(.to, "the device's public JWK Set, or a private file of shared keys"),
      .flag(.lines, "seal one message per line, instead of one payload to one device"),
      .optional(.recipients, "the devices that lines can name"),
      .optional(
        .errors, "where to report lines that were not sealed; - is the output; default: standard error"),
      .optional(.skip, "skip the first N lines, which an earlier run has sealed"),
    ] + Parameter.signing + [
      .optional(.headers, "where to write the APNs headers"),
      .optional(.applicationID, "the app's ID on Android, if it differs from --topic"),
      .flag(.bare, "write only the data of FCM's message"),
    ] + Parameter.message + Parameter.passphrase).map { $0.without(.format) }
      + [
        .input, .output, .force,
        .optional(.format, "write another system's envelope: seal --format --help explains it")
          .offering(ForeignFormat.written.map(\.name)),
      ] + Parameter.placeholder + Parameter.formatSealing
  ) { (arguments, console) throws(ToolError) in
    if let format = try ForeignFormat(from: arguments, among: ForeignFormat.written) {
      return try seal(as: format, arguments: arguments, console: console)
    }
    let ofLines = [Option.recipients.name, Option.errors.name, Option.skip.name]
    for name in ofLines where arguments.isGiven(name) && !arguments.has(.lines) {
      throw .usage("\(name) needs \(Flag.lines)")
    }
    let request = try SealRequest(parsing: arguments)
    if arguments.has(.bare), request.service != .fcm || request.isOfLines {
      throw .usage("\(Flag.bare) needs \(Option.pushType) fcm or fcm-data, and no \(Flag.lines)")
    }
    let destination = SealDestination(parsing: arguments)
    let sealing = try PreparedSealing(of: request)
    guard request.isOfLines else { return try sealing.sealOne(to: destination, console: console) }
    var lines = try SealLines(of: sealing, to: destination, console: console)
    try await lines.run()
  }

  private static func seal(
    as format: ForeignFormat, arguments: Arguments, console: Console
  ) throws(ToolError) {
    let policy = try SealingPolicy(from: arguments)
    let write = try format.writer(from: arguments)
    let plaintext = try FileInput.read(from: arguments[.input])
    let members: JSONObject
    do throws(EnvelopeFormatError) {
      members = try write(plaintext)
    } catch {
      throw FormatFailure.describe(error)
    }
    let payload: [UInt8]
    do throws(SealError) {
      payload = try policy.payload(carrying: members)
    } catch {
      guard case .tooLarge(let bytes, let limit) = error else { throw SealFailure.describe(error) }
      throw FormatFailure.tooLarge(bytes: bytes, limit: limit)
    }
    try FileOutput(path: arguments[.output], replaces: arguments.has(.force)).write(
      payload, as: .json, console: console)
  }
}
