public import PushCore
public import PushEnrolment
public import PushKeys
public import PushReceiver

/// What an app shares with its extensions: its keys, whom it trusts, and the files of a folder that all of them can use.
///
/// On Apple's systems, `SharedPush(topic:audience:appGroup:)` finds all of it. Make one in each process, and change it there
/// as needed; ``receiver`` is then the app's own in all of them.
public struct SharedPush: Sendable {
  /// The app's bundle ID.
  public let topic: Topic

  /// The backend's own name, which enrolments are for.
  public let audience: Audience

  /// The path of the folder.
  public let folder: String

  /// The device's keys, to look them up.
  public let keys: any DeviceKeyStore

  /// Whose messages are shown: the newest signed set in the folder, or else the one that the app was built with.
  public let senders: SenderKeyFile

  /// Which envelopes open.
  public var accepts = AcceptedEnvelopes.signed

  /// What is shown for a push that does not open.
  public var bestAttempt = BestAttempt.outerTitle

  /// How a message is shown that was shown before.
  public var duplicates = DuplicateRule.quietly

  /// Whether the extension notes which messages it opens, so that the app can report them by a receipt.
  ///
  /// It tells the backend which messages were opened on this phone, and when the app reported that; so nothing is noted unless the
  /// app asks for it. Set it in the extension and in the app alike: where it is not set, the app forgets the notes.
  public var wantsReceipts = false

  /// The app's localized strings.
  public var strings: any LocalizedStrings = NoStrings()

  /// The clock.
  public var clock: any PushClock = SystemClock()

  /// Takes a folder that exists; `roots` are the public keys that the app pins, and `shipped` the set that it was built with.
  ///
  /// The folder has a folder `notes`, whose files must be writable before the phone is first unlocked.
  public init(
    topic: Topic, audience: Audience, folder: String, keys: any DeviceKeyStore, roots: PublicKeySet,
    shipped: SenderKeySet? = nil
  ) {
    self.topic = topic
    self.audience = audience
    self.folder = folder
    self.keys = keys
    senders = SenderKeyFile(
      path: Self.path(of: "senders.jws", in: folder), roots: roots, topic: topic, shipped: shipped)
  }

  /// Opens what was sealed to the device, for persons who are signed in.
  ///
  /// An extension adds its `Receiver.steps` and its `Receiver.observers`.
  public var receiver: Receiver {
    var receiver = Receiver(
      topic: topic, keys: keys, senders: senders, accepts: accepts, replay: replay, duplicates: duplicates,
      bestAttempt: bestAttempt, clock: clock)
    receiver.accounts = accounts
    receiver.strings = strings
    return receiver
  }

  /// What was shown before, in which the app marks what it has shown by itself: `markSeen(_:at:)`.
  public var replay: FileReplayStore { FileReplayStore(path: path(of: "replay")) }

  /// The tags of the persons who are signed in, which a ``PushRegistration`` keeps.
  public var accounts: AccountFile { AccountFile(path: path(of: "accounts.json")) }

  /// Why pushes did not open.
  public var log: DiagnosticsLog { DiagnosticsLog(path: path(of: "notes/log.json")) }

  /// How many pushes opened, and how many did not.
  public var tally: ReceptionTally { ReceptionTally(path: path(of: "notes/tally.json")) }

  /// What came before the phone was first unlocked.
  public var kept: KeptEnvelopes { KeptEnvelopes(path: path(of: "notes/kept.json")) }

  /// The states of Live Activities, so that an old one is not shown again.
  public var activities: ActivityStates { ActivityStates(path: path(of: "notes/activities.json")) }

  /// Whether messages may have come before the first unlock, once a start of the phone.
  public var missed: MissedMessages { MissedMessages(path: path(of: "notes/missed.json")) }

  /// The observers of an extension: the log, the counts, what is kept for later, and, if the app wants receipts, the notes for
  /// them.
  public var observers: [any ReceptionObserver] {
    [log, tally, kept] + (wantsReceipts ? [receiptNotes] : [])
  }

  /// The path of the folder for attachments on their way to the system.
  public var attachments: String { path(of: "attachments") }

  /// What the phone says of itself to the backend: which set of senders it has, and how many pushes opened.
  public var report: DeviceReport { DeviceReport(senders: senders.version, counts: try? tally.read()) }

  /// The path of a name in the folder.
  public func path(of name: String) -> String { Self.path(of: name, in: folder) }

  private static func path(of name: String, in folder: String) -> String {
    folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
