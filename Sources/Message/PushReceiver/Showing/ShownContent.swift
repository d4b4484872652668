public import PushAttachments
public import PushCore
internal import PushFiles

/// The content of a notification as it is shown, and the `userInfo` that the app gets with it.
public struct ShownContent: Equatable, Sendable {
  /// The first line; empty if there is none.
  public var title = ""
  /// The line below; empty if there is none.
  public var subtitle = ""
  /// The text; empty if there is none.
  public var body = ""
  /// The sound; nil means silence.
  public var sound: Sound?
  /// The badge on the app's icon; nil leaves it unchanged.
  public var badge: Int?
  /// The launch image or storyboard that the app shows when the person opens it from the notification; empty for the
  /// app's own.
  public var launchImageName = ""
  /// A registered category's identifier; empty if there is none.
  public var category = ""
  /// The thread that groups notifications; empty if there is none.
  public var threadIdentifier = ""
  /// The window to bring forward; nil if none is named.
  public var targetContentIdentifier: String?
  /// The criteria that the app's Focus filter evaluates; nil if there are none.
  public var filterCriteria: String?
  /// The interruption level.
  public var interruptionLevel = InterruptionLevel.active
  /// The rank in the notification summary, from 0 to 1.
  public var relevanceScore = 0.0
  /// The attachments: files that a step has fetched.
  public var attachments: [ShownAttachment] = []
  /// The `userInfo` that the app gets.
  public var userInfo: [String: PropertyList] = [:]

  /// Makes an empty content.
  public init() {}

  /// The opened content, and nothing else.
  ///
  /// The app gets neither the format's own member nor one under the envelope's key, which stands for a message that was
  /// not opened.
  init(
    of notification: RemoteNotification, payload: JSONObject, isSigned: Bool,
    strings: any LocalizedStrings, envelopeKey: EnvelopeKey
  ) {
    if let alert = notification.alert {
      setTexts(of: alert, from: strings)
      // A table may have an empty text for a key, and an argument may be empty.
      if !hasText { setTexts(of: alert, from: NoStrings(), hasArguments: false) }
      launchImageName = alert.launchImage ?? ""
    }
    sound = notification.sound
    badge = notification.badge
    category = notification.category ?? ""
    threadIdentifier = notification.threadID ?? ""
    targetContentIdentifier = notification.targetContentID
    filterCriteria = notification.filterCriteria
    interruptionLevel = notification.interruptionLevel ?? .active
    relevanceScore = notification.relevanceScore ?? 0
    userInfo = PropertyList.dictionary(from: payload)
    userInfo[EnvelopeKey.reserved] = nil
    userInfo[envelopeKey.text] = nil
    if !isSigned { removeUrgency() }
  }

  /// Whether there is a text to show: without one, iOS may show the original notification.
  var hasText: Bool { !title.isEmpty || !body.isEmpty }

  /// Sets the texts: the literal ones, or those of their keys, with the arguments filled in or not.
  private mutating func setTexts(
    of alert: NotificationAlert, from strings: any LocalizedStrings, hasArguments: Bool = true
  ) {
    let arguments = hasArguments ? alert.other : [:]
    title = strings.text(
      literal: alert.title, key: alert.other["title-loc-key"], arguments: arguments["title-loc-args"])
    subtitle = strings.text(
      literal: alert.subtitle, key: alert.other["subtitle-loc-key"], arguments: arguments["subtitle-loc-args"]
    )
    body = strings.text(literal: alert.body, key: alert.other["loc-key"], arguments: arguments["loc-args"])
  }

  /// Removes what breaks through silence or a Focus: only a known sender may do that.
  private mutating func removeUrgency() {
    if case .critical(let name, _)? = sound { sound = .named(name) }
    switch interruptionLevel {
    case .timeSensitive, .critical: interruptionLevel = .active
    case .active, .passive: break
    }
  }
}

/// The placeholder for a message that does not open.
public struct BestAttempt: Hashable, Sendable {
  private let fixedTitle: String?

  /// The key of the text in the app's localized strings, which ``Receiver/strings`` has.
  ///
  /// If it is nil, or if its text is missing or empty, the text is `(Encrypted)`.
  public var textKey: String?

  /// Keeps the visible title, which comes from the sender or from anyone who changed it in transit.
  public static let outerTitle = BestAttempt(fixedTitle: nil)

  /// Shows a fixed title of the app's choice.
  public static func fixed(title: String) -> BestAttempt { BestAttempt(fixedTitle: title) }

  /// The same title with a text of the app's localized strings.
  public func text(forKey key: String) -> BestAttempt {
    var other = self
    other.textKey = key
    return other
  }

  /// The content for a push that did not open, or, if `isLate`, that did not open in time.
  ///
  /// Title and body are never both empty.
  func content(
    for push: IncomingPush, isLate: Bool, envelopeKey: EnvelopeKey, strings: any LocalizedStrings
  ) -> ShownContent {
    var content = ShownContent()
    content.title = fixedTitle ?? push.title
    let text = text(from: strings)
    if isLate, !content.title.isEmpty {
      content.subtitle = text
    } else {
      content.body = text
    }
    content.sound = push.hasSound ? .default : nil
    if case .text(let text) = push.envelope, text.utf8.count <= Envelope.maximumTextSize {
      content.userInfo = [envelopeKey.text: .string(text)]
    }
    return content
  }

  private func text(from strings: any LocalizedStrings) -> String {
    guard let textKey, let format = strings.format(forKey: textKey), !format.isEmpty else {
      return Placeholder.text
    }
    return strings.text(forKey: textKey, arguments: [])
  }
}

/// A file that is shown with a notification.
///
/// The file is removed when the last copy of this value goes away, unless the system has taken the file over.
public struct ShownAttachment: Equatable, Sendable {
  /// An identifier that is unique within the notification.
  public let identifier: String

  /// The type; the file's name has the extension for it.
  public let type: AttachmentType

  private let file: ScratchFile

  /// The file's path.
  public var path: String { file.path }

  /// Takes over a file, whose name must have the type's extension.
  public init(identifier: String, type: AttachmentType, path: String) {
    self.init(identifier: identifier, type: type, file: ScratchFile(path: path))
  }

  init(identifier: String, type: AttachmentType, file: ScratchFile) {
    self.identifier = identifier
    self.type = type
    self.file = file
  }

  /// Leaves the file to the system, which moves it away.
  package func leave() { file.leave() }

  /// Whether both values are the same file.
  public static func == (left: ShownAttachment, right: ShownAttachment) -> Bool {
    left.identifier == right.identifier && left.type == right.type && left.path == right.path
  }
}

/// Keeps a text out of logs.
extension ShownContent: CustomStringConvertible, CustomReflectable {
  /// What it is, without its texts.
  public var description: String { "content" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
