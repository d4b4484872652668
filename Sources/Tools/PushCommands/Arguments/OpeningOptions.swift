import PushCore
import PushKeys
import PushReceiver

extension Receiver {
  /// Makes the receiver that the options of `open` and `simulate` describe.
  init(from arguments: Arguments) throws(ToolError) {
    let keys = try Keys.loadOpening(
      from: try KeySource(required: .keys, from: arguments), passphrase: arguments.passphrase)
    let senders: any SenderKeyStore
    switch (arguments[.senders], arguments.has(.anonymous)) {
    case (let path?, false):
      senders = try Keys.loadSenders(from: path, root: try PinnedRoot(parsing: arguments)).store
    case (nil, true): senders = NoSenders()
    default: throw .usage("give either \(Option.senders) FILE or \(Flag.anonymous)")
    }
    self.init(
      topic: try arguments.required(.topic), keys: keys, senders: senders,
      accepts: AcceptedEnvelopes(anonymous: arguments.has(.anonymous)),
      envelopeKey: try arguments.envelopeKey(), clock: StoppedClock(now: try arguments.now()))
    let signedIn = try arguments.all(.account)
    if !signedIn.isEmpty { accounts = Set(signedIn) }
  }

  /// The options that describe a receiver.
  static let options: [Parameter] =
    [
      .keySource(.keys, "the device's private key file, or a file of shared keys"),
      .keyDescriptor(.keys),
      .optional(.senders, "the public JWK Set of the trusted senders, or a signed set").configurable(
        .without(.anonymous)),
      .root,
      .flag(.anonymous, "accept unsigned messages, and trust no sender"),
      .optional(.account, "an account that is signed in; may be repeated; default: accounts are ignored")
        .repeatable(),
      .topic, .input, .envelopeKey, .now,
    ] + Parameter.passphrase
}

/// A store without senders.
private struct NoSenders: SenderKeyStore {
  func senderKey(for id: KeyID, at now: UnixTime) -> SenderKey? { nil }
}

/// A clock that stands at `--now`, but sleeps like the system's.
private struct StoppedClock: PushClock {
  let now: UnixTime

  var uptime: Duration { SystemClock().uptime }

  func sleep(until end: Duration) async throws { try await SystemClock().sleep(until: end) }
}
