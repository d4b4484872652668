package import PushCore
import PushFiles
import PushKeys
import PushSealer

/// What the options of `seal` or `send` say about the message, or about what the messages of many lines have in common.
///
/// Nothing is loaded yet: ``PreparedSealing`` does that.
package struct SealRequest: Sendable {
  /// Whether each line of the input is a message.
  package let isOfLines: Bool
  /// The app's bundle ID.
  package let topic: Topic
  /// The app's ID on Android; nil if it is the same.
  let applicationID: Topic?
  /// The service that carries what no registration names one for.
  package let service: PushService
  let policy: SealingPolicy
  /// The keys of the sender; nil if nobody signs.
  let senderKeys: SenderKeys?
  /// The passphrase of a recipient's shared keys.
  let passphrase: Passphrase?
  let suite: Suite?
  /// The path of the recipient's keys.
  let recipient: String?
  /// The account that the message is for.
  let account: AccountTag?
  /// The path of the registered devices.
  let recipients: String?
  /// The path of the attachments' descriptors.
  let attachments: String?
  /// The path of the payload, or of the lines.
  let input: String?
  /// How many lines to pass over.
  let skippedLines: Int
  let messageID: MessageID?
  let issuedAt: UnixTime?
  let lifetime: Lifetime?
  let headers: HeaderOptions
  /// Whether warnings are errors.
  let isStrict: Bool
  /// The time to act at; nil for the clock's time.
  let time: UnixTime?

  /// Reads the options.
  package init(parsing arguments: Arguments) throws(ToolError) {
    isOfLines = arguments.has(.lines)
    let ofOne = [
      Option.headers.name, Option.messageID.name, Option.issuedAt.name, Option.collapseID.name,
      Option.account.name,
    ]
    account = try arguments[.account]
    for name in ofOne where isOfLines && arguments.isGiven(name) {
      throw .usage("\(name) and \(Flag.lines) exclude each other", hint: arguments.page)
    }
    time = try arguments[.now]
    lifetime = try arguments[.lifetime]
    topic = try arguments.required(.topic)
    applicationID = try arguments[.applicationID]
    service = try arguments[.pushType]?.service ?? .apns
    guard service == .apns || !arguments.isGiven(.headers) else {
      throw .usage("\(Option.headers): an FCM message has no headers")
    }
    policy = try SealingPolicy(from: arguments)
    passphrase = arguments.passphrase
    switch (try KeySource(from: arguments, option: .from), arguments.has(.anonymous)) {
    case (let source?, false): senderKeys = SenderKeys(source: source, passphrase: passphrase)
    case (nil, true): senderKeys = nil
    default: throw .usage("give either \(SourceOptions.from.file) FILE or \(Flag.anonymous)")
    }
    suite = try arguments[.suite]
    headers = try HeaderOptions(from: arguments)
    messageID = try arguments[.messageID]
    issuedAt = try arguments[.issuedAt]
    skippedLines = try arguments[.skip] ?? 0
    recipient = arguments[.to]
    recipients = arguments[.recipients]
    attachments = arguments[.attach]
    input = arguments[.input]
    isStrict = arguments.has(.strict)
  }
}

/// Where `seal` writes, and what it may replace.
struct SealDestination {
  let output: String?
  /// The path of the APNs headers.
  let headers: String?
  /// The path of the errors about lines.
  let errors: String?
  /// Whether only the `data` of FCM's message is written.
  let isBare: Bool
  /// Whether files that exist are replaced.
  let isForced: Bool
  /// The files that the command reads, none of which is ever replaced.
  let inputs: [FileIdentity]

  /// Takes what the options say.
  init(parsing arguments: Arguments) {
    output = arguments[.output]
    headers = arguments[.headers]
    errors = arguments[.errors]
    isBare = arguments.has(.bare)
    isForced = arguments.has(.force)
    inputs = arguments.inputs
  }
}
