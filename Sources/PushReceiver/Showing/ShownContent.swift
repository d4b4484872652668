public import PushAttachments
internal import PushEnvelope
internal import PushFiles
public import PushPayload

/// What the person is shown, and what the app gets with it.
public struct ShownContent: Equatable, Sendable {
  /// The first line; empty if there is none.
  public var title = ""
  /// The line below; empty if there is none.
  public var subtitle = ""
  /// The text; empty if there is none.
  public var body = ""
  /// The sound; null is silence.
  public var sound: Sound?
  /// The number on the app's icon; null leaves it as it is.
  public var badge: Int?
  /// A registered category's identifier; empty if there is none.
  public var category = ""
  /// What groups notifications; empty if there is nothing.
  public var threadIdentifier = ""
  /// The window to bring forward; null if none is named.
  public var targetContentIdentifier: String?
  /// What a Focus judges it by; null if nothing is said.
  public var filterCriteria: String?
  /// How much it may disturb.
  public var interruptionLevel = InterruptionLevel.active
  /// The rank in the summary, from 0 to 1.
  public var relevanceScore = 0.0
  /// What is shown beside the text: files that a step has fetched.
  public var attachments: [ShownAttachment] = []
  /// What the app gets.
  public var userInfo: [String: PropertyList] = [:]

  /// Makes an empty content.
  public init() {}

  /// Everything that an opened content says, and nothing else.
  ///
  /// The app gets neither the format's own member nor one under the envelope's key, which stands for a message that was
  /// not opened.
  init(
    _ notification: RemoteNotification, _ payload: JSONObject, isSigned: Bool,
    strings: any LocalizedStrings, envelopeKey: EnvelopeKey
  ) {
    if let alert = notification.alert {
      setTexts(alert, from: strings)
      // A table may have an empty text for a key.
      if !hasText { setTexts(alert, from: NoStrings()) }
    }
    sound = notification.sound
    badge = notification.badge
    category = notification.category ?? ""
    threadIdentifier = notification.threadID ?? ""
    targetContentIdentifier = notification.targetContentID
    filterCriteria = notification.otherAPS["filter-criteria"]?.string
    interruptionLevel = notification.interruptionLevel ?? .active
    relevanceScore = notification.relevanceScore ?? 0
    userInfo = PropertyList.dictionary(payload)
    for key in [EnvelopeKey.reserved, envelopeKey.text] { userInfo[key] = nil }
    if !isSigned { removeUrgency() }
  }

  /// Whether there is a text to show: iOS may show the original of a notification without any.
  var hasText: Bool { !title.isEmpty || !body.isEmpty }

  private mutating func setTexts(_ alert: Alert, from strings: any LocalizedStrings) {
    title = strings.text(
      alert.title, key: alert.other["title-loc-key"], arguments: alert.other["title-loc-args"])
    subtitle = strings.text(
      alert.subtitle, key: alert.other["subtitle-loc-key"], arguments: alert.other["subtitle-loc-args"])
    body = strings.text(alert.body, key: alert.other["loc-key"], arguments: alert.other["loc-args"])
  }

  /// Only a known sender may break through silence or a Focus.
  private mutating func removeUrgency() {
    if case .critical(let name, _)? = sound { sound = .named(name) }
    switch interruptionLevel {
    case .timeSensitive, .critical: interruptionLevel = .active
    case .active, .passive: break
    }
  }
}

/// What is shown instead of a message that was not opened.
public struct BestAttempt: Hashable, Sendable {
  private let fixedTitle: String?

  /// Keeps the visible title, which the sender, or whoever changed it on the way, has chosen.
  public static let outerTitle = BestAttempt(fixedTitle: nil)

  /// Shows a title that the app has chosen.
  public static func fixed(title: String) -> BestAttempt { BestAttempt(fixedTitle: title) }

  /// What to show when `push` was not opened, or not in time if `isLate`.
  ///
  /// Title and body are never both empty.
  func content(for push: IncomingPush, isLate: Bool, envelopeKey: EnvelopeKey) -> ShownContent {
    var content = ShownContent()
    content.title = fixedTitle ?? push.title
    if isLate, !content.title.isEmpty {
      content.subtitle = Placeholder.text
    } else {
      content.body = Placeholder.text
    }
    content.sound = push.hasSound ? .default : nil
    if case .text(let text) = push.envelope, text.utf8.count <= Envelope.maximumTextSize {
      content.userInfo = [envelopeKey.text: .string(text)]
    }
    return content
  }
}

/// A file that is shown with a notification.
///
/// It is removed when nobody has this value any more, unless the system has taken it over.
public struct ShownAttachment: Equatable, Sendable {
  /// What tells it from the notification's others.
  public let identifier: String

  /// What it is; the file's name ends with the extension that belongs to it.
  public let type: AttachmentType

  private let file: PassingFile

  /// Where it is.
  public var path: String { file.path }

  /// Takes a file over, whose name ends with the type's extension.
  public init(identifier: String, type: AttachmentType, path: String) {
    self.init(identifier: identifier, type: type, file: PassingFile(path: path))
  }

  init(identifier: String, type: AttachmentType, file: PassingFile) {
    self.identifier = identifier
    self.type = type
    self.file = file
  }

  /// Leaves the file to the system, which moves it away.
  package func leave() { file.leave() }

  /// Whether both are the same file.
  public static func == (left: ShownAttachment, right: ShownAttachment) -> Bool {
    left.identifier == right.identifier && left.type == right.type && left.path == right.path
  }
}
