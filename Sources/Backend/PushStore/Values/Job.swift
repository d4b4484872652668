public import PushCore
internal import PushEnrolment
internal import PushKeys

/// A notification to a person, which waits in the queue until it has reached the person's devices.
///
/// It fixes what every attempt seals: the payload, the message's ID, and the time of issue.
public struct Job: Hashable, Sendable {
  /// The message's ID.
  ///
  /// Enqueueing the same ID again changes nothing. Devices and APNs see only IDs that are derived from it.
  public let messageID: MessageID

  /// Whose devices it is for: the backend's own name, 1 to 255 bytes of UTF-8 without control characters.
  public var person: String { exactPerson.string }

  /// An ordinary APNs payload, whose members are sealed exactly as they are; at most ``maximumPayloadSize`` bytes.
  public let payload: JSONObject

  /// The app whose devices get it; nil for all apps.
  public let topic: Topic?

  /// How soon it is leased, compared with others.
  public let priority: JobPriority

  /// When it may first be leased; nil for at once.
  public let notBefore: UnixTime?

  /// When it is too late: nothing is sent from then on, and APNs is told to keep the push no longer; nil for no limit but
  /// the lifetime.
  public let expiresAt: UnixTime?

  /// How long the message is valid, from ``createdAt``; nil for its push type's default.
  public let lifetime: Lifetime?

  /// APNs' priority of delivery; nil for the push type's default.
  public let apnsPriority: Priority?

  /// `apns-collapse-id`, 1 to 64 bytes of visible ASCII; nil for the message's ID.
  public let collapseID: String?

  /// The kind of push, which decides to which of a device's tokens it goes: see ``TokenBook``.
  public let pushType: PushType

  /// Whether the store keeps what became of it on each device: see ``OutcomeBook``.
  public let wantsOutcome: Bool

  /// The application's own name for what the message is about; nil for none.
  public let key: JobKey?

  /// The message in whose place it is shown; nil if it stands for itself.
  ///
  /// If that message waits, it is removed. For a ``key`` that replaces, the queue finds it.
  public let replaces: MessageID?

  /// Where the job belongs in the application's trace; nil if it has none.
  public let traceparent: TraceParent?

  /// The Live Activity that is updated or ended, by the name under which devices have handed its token in; nil for every other
  /// push.
  public let activity: String?

  /// When the message was issued.
  public let createdAt: UnixTime

  /// The largest payload, in bytes of JSON: 64 KiB.
  ///
  /// A sealed push holds 4 or 5 KiB; the rest is room for parts that the sealer removes.
  public static let maximumPayloadSize = 1 << 16

  /// As deep as readers read.
  private static let maximumDepth = 32

  private let exactPerson: ExactString

  /// Makes a job.
  ///
  /// - Throws: ``JobFault``, which names the column of the table that a value cannot be in, or the member of the payload
  ///   that a worker could not seal.
  public init(
    _ payload: JSONObject, to person: String, messageID: MessageID = .timeOrdered(), topic: Topic? = nil,
    priority: JobPriority = .standard, notBefore: UnixTime? = nil, expiresAt: UnixTime? = nil,
    lifetime: Lifetime? = nil, apnsPriority: Priority? = nil, collapseID: String? = nil,
    pushType: PushType = .alert, wantsOutcome: Bool = false, key: JobKey? = nil,
    replacing replaced: MessageID? = nil, traceparent: TraceParent? = nil, activity: String? = nil,
    at createdAt: UnixTime = .now
  ) throws(JobFault) {
    try self.init(
      stored: payload, to: person, messageID: messageID, topic: topic, priority: priority,
      notBefore: notBefore, expiresAt: expiresAt, lifetime: lifetime, apnsPriority: apnsPriority,
      collapseID: collapseID, pushType: pushType, wantsOutcome: wantsOutcome, key: key, replacing: replaced,
      traceparent: traceparent, activity: activity, at: createdAt)
    guard payload.encoded().count <= Self.maximumPayloadSize else {
      throw .wrong(.payload, "at most \(Self.maximumPayloadSize) bytes")
    }
    try Self.checkForSealing(payload, as: pushType)
  }

  /// Throws unless a payload can be sealed, apart from its length, and is then shown, or has nothing to show.
  private static func checkForSealing(_ payload: JSONObject, as pushType: PushType) throws(JobFault) {
    let notification: RemoteNotification
    do throws(PayloadError) { notification = try RemoteNotification(payload: payload) } catch {
      throw .payload(error)
    }
    // Of the format's own member callers may say some. The envelope's key is reserved as well, but only the worker's policy
    // knows it.
    if let value = payload[EnvelopeKey.reserved], CallersMember(strictly: value) == nil {
      throw .wrong(
        .payload,
        "without the member '\(EnvelopeKey.reserved)', unless it only replaces or removes messages, or has bytes"
      )
    }
    switch pushType {
    case .alert:
      guard notification.hasText else { throw .wrong(.payload, "an alert with a title or a body") }
    case .background:
      guard notification.showsNothing else {
        throw .wrong(.payload, "without an alert, a sound and a badge, which a background push does not show")
      }
    case .liveActivity:
      guard notification.isLiveActivity else {
        throw .wrong(.payload, "a Live Activity's, with an event in aps")
      }
      guard !startsActivity(payload) || attributes(of: payload) != nil else {
        throw .wrong(
          .payload,
          "with attributes-type in aps, 1 to \(TokenUse.maximumNameSize) bytes, to start an activity")
      }
    case .voip, .complication, .pushToTalk: break
    }
  }

  private static func startsActivity(_ payload: JSONObject) -> Bool {
    payload["aps"]?.object?["event"]?.string == LiveActivity.Event.start.rawValue
  }

  /// The type of the attributes with which an activity starts.
  private static func attributes(of payload: JSONObject) -> String? {
    (payload["aps"]?.object?["attributes-type"]?.string).flatMap { TokenUse.isName($0) ? $0 : nil }
  }

  /// What the token must be for to which it goes; nil for the device token.
  package var tokenUse: TokenUse? {
    switch pushType {
    case .alert, .background: nil
    case .voip: .voip
    case .complication: .complication
    case .pushToTalk: .pushToTalk
    case .liveActivity:
      activity.map { .activity(named: $0) }
        ?? Self.attributes(of: payload).map { .activityStart(attributes: $0) }
    }
  }

  /// Makes a job of a row of the table, whose payload is not too large; whether that can be sealed is found out when it is
  /// tried.
  ///
  /// - Throws: ``JobFault``, which names the column of the table that a value cannot be in.
  package init(
    stored payload: JSONObject, to person: String, messageID: MessageID, topic: Topic? = nil,
    priority: JobPriority = .standard, notBefore: UnixTime? = nil, expiresAt: UnixTime? = nil,
    lifetime: Lifetime? = nil, apnsPriority: Priority? = nil, collapseID: String? = nil,
    pushType: PushType = .alert, wantsOutcome: Bool = false, key: JobKey? = nil,
    replacing replaced: MessageID? = nil, traceparent: TraceParent? = nil, activity: String? = nil,
    at createdAt: UnixTime = .now
  ) throws(JobFault) {
    try key?.check()
    guard replaced != messageID else { throw .wrong(.replaces, JobColumn.replacesRule) }
    guard Registration.isName(person) else { throw .wrong(.person, JobColumn.nameRule) }
    guard !payload.isNested(deeperThan: Self.maximumDepth) else {
      throw .wrong(.payload, "nested at most \(Self.maximumDepth) levels deep")
    }
    guard collapseID.map(Self.isCollapseID) ?? true else {
      throw .wrong(.collapseID, "1 to 64 visible ASCII characters")
    }
    for (column, time) in [
      (JobColumn.notBefore, notBefore), (.expiresAt, expiresAt), (.createdAt, createdAt),
    ] {
      guard time.map({ $0 < StoreTime.end }) ?? true else { throw .wrong(column, StoreTime.rule) }
    }
    guard apnsPriority.map(pushType.priorities.contains) ?? true else {
      let allowed = pushType.priorities.map { String($0.rawValue) }.joined(separator: " or ")
      throw .wrong(.apnsPriority, "\(allowed) for a push of type \(pushType.rawValue)")
    }
    // A sealer takes any payload as data, so nothing else refuses a text that is never shown.
    if pushType == .background || pushType == .liveActivity {
      try Self.checkForSealing(payload, as: pushType)
    }
    let namesActivity = pushType == .liveActivity && !Self.startsActivity(payload)
    guard activity.map(TokenUse.isName) ?? true, (activity != nil) == namesActivity else {
      throw .wrong(.activity, JobColumn.activityRule)
    }
    self.messageID = messageID
    exactPerson = ExactString(person)
    self.payload = payload
    self.topic = topic
    self.priority = priority
    self.notBefore = notBefore
    self.expiresAt = expiresAt
    self.lifetime = lifetime
    self.apnsPriority = apnsPriority
    self.collapseID = collapseID
    self.pushType = pushType
    self.wantsOutcome = wantsOutcome
    self.key = key
    replaces = replaced
    self.traceparent = traceparent
    self.activity = activity
    self.createdAt = createdAt
  }

  private static func isCollapseID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// Whether both are the same job.
  public static func == (left: Job, right: Job) -> Bool { JobRow(left) == JobRow(right) }

  /// Hashes the message's ID.
  public func hash(into hasher: inout Hasher) { hasher.combine(messageID) }
}

/// How soon a job is leased: 9 first, 0 last.
///
/// As long as a more urgent job is ready, no other is leased.
public struct JobPriority: RawRepresentable, Hashable, Comparable, Sendable {
  /// From 0 to 9.
  public let rawValue: Int

  /// Takes 0 to 9; nil for any other number.
  public init?(rawValue: Int) {
    guard (0...9).contains(rawValue) else { return nil }
    self.rawValue = rawValue
  }

  private init(_ number: Int) { rawValue = number }

  /// 9: before all others.
  public static let first = JobPriority(9)

  /// 5: where nothing else is said.
  public static let standard = JobPriority(5)

  /// 0: when nothing else is ready.
  public static let last = JobPriority(0)

  /// Whether one is leased after the other.
  public static func < (left: JobPriority, right: JobPriority) -> Bool { left.rawValue < right.rawValue }
}

extension RemoteNotification {
  /// Whether it has none of what a person sees or hears.
  fileprivate var showsNothing: Bool { alert == nil && sound == nil && badge == nil }
}

/// Keeps a text and a person out of logs.
extension Job: CustomStringConvertible, CustomReflectable {
  /// The message's ID, and the size of the payload.
  public var description: String { "job \(messageID), \(payload.encoded().count) bytes" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
