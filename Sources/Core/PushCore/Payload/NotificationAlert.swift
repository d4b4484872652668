/// The text that a notification shows (`aps.alert`).
///
/// An alert in Apple's string form is read as an alert with that body, and written as an object.
public struct NotificationAlert: Sendable {
  /// The first line.
  public var title: String?

  /// The line below the title.
  public var subtitle: String?

  /// The main text.
  public var body: String?

  /// All other members, kept unchanged, such as `launch-image`, `loc-key` and `loc-args`.
  ///
  /// Members that Apple defines have typed views, such as ``localizedBody``.
  public var other: JSONObject

  /// Makes an alert from its parts, all of which are optional.
  public init(
    title: String? = nil, subtitle: String? = nil, body: String? = nil, other: JSONObject = [:]
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.other = other
  }
}

extension NotificationAlert: Equatable {
  /// Whether all parts are equal.
  ///
  /// Text is compared by its UTF-8 bytes.
  public static func == (left: NotificationAlert, right: NotificationAlert) -> Bool {
    left.title.isExactly(right.title) && left.subtitle.isExactly(right.subtitle)
      && left.body.isExactly(right.body) && left.other == right.other
  }
}

extension NotificationAlert {
  static let path = "aps.alert"

  init(parsing value: JSONValue) throws(PayloadError) {
    switch value {
    case .string(let body):
      self.init(body: try PayloadCheck.text(body, at: Self.path))
    case .object(let object):
      let members = MemberReader(of: object, path: Self.path)
      self.init(
        title: try members.text(at: AlertKey.title.rawValue),
        subtitle: try members.text(at: AlertKey.subtitle.rawValue),
        body: try members.text(at: AlertKey.body.rawValue), other: object.without(AlertKey.storedNames))
    case .null, .boolean, .number, .array:
      throw .invalid(key: Self.path, rule: .mustBeStringOrObject)
    }
  }

  func write(to object: inout some MemberSink) throws(PayloadError) {
    try object.append(title, for: .title)
    try object.append(subtitle, for: .subtitle)
    try object.append(body, for: .body)
    guard !other.isEmpty else { return }
    try PayloadCheck.add(
      other, to: &object, reserving: AlertKey.storedNames, path: Self.path)
  }
}

/// Typed views of ``NotificationAlert/other``.
///
/// A member of the wrong type reads as nil and is kept until the view is set.
/// ``RemoteNotification/checkForSending()`` throws an error that names it.
extension NotificationAlert {
  /// The localized title (`title-loc-key`, `title-loc-args`), shown if there is no ``title``.
  public var localizedTitle: LocalizedText? {
    get { localizedText(key: .titleLocKey, arguments: .titleLocArgs) }
    set { set(newValue, key: .titleLocKey, arguments: .titleLocArgs) }
  }

  /// The localized subtitle (`subtitle-loc-key`, `subtitle-loc-args`), shown if there is no ``subtitle``.
  public var localizedSubtitle: LocalizedText? {
    get { localizedText(key: .subtitleLocKey, arguments: .subtitleLocArgs) }
    set { set(newValue, key: .subtitleLocKey, arguments: .subtitleLocArgs) }
  }

  /// The localized body (`loc-key`, `loc-args`), shown if there is no ``body``.
  public var localizedBody: LocalizedText? {
    get { localizedText(key: .locKey, arguments: .locArgs) }
    set { set(newValue, key: .locKey, arguments: .locArgs) }
  }

  /// The name of the launch image or storyboard (`launch-image`).
  public var launchImage: String? {
    get { other[AlertKey.launchImage]?.string }
    set { other[AlertKey.launchImage] = newValue.map(JSONValue.string) }
  }

  /// The second button in early versions of iOS (`action-loc-key`); nil if there is no such member.
  public var action: AlertAction? {
    get {
      switch other[AlertKey.actionLocKey] {
      case .string(let key): .localized(key: key)
      case .null: .noButton
      default: nil
      }
    }
    set {
      other[AlertKey.actionLocKey] =
        switch newValue {
        case .localized(let key): .string(key)
        case .noButton: .null
        case nil: nil
        }
    }
  }

  /// Reads a localized text; nil if there is no key, or if the arguments are not an array of strings.
  private func localizedText(key keyKey: AlertKey, arguments argumentsKey: AlertKey) -> LocalizedText? {
    guard let key = other[keyKey]?.string else { return nil }
    guard let value = other[argumentsKey] else { return LocalizedText(key: key) }
    guard let arguments = value.strings else { return nil }
    return LocalizedText(key: key, arguments: arguments)
  }

  /// Writes a localized text, with the arguments only if there are any.
  private mutating func set(_ text: LocalizedText?, key keyKey: AlertKey, arguments argumentsKey: AlertKey) {
    other[keyKey] = (text?.key).map(JSONValue.string)
    let arguments = text?.arguments ?? []
    other[argumentsKey] = arguments.isEmpty ? nil : .array(arguments.map(JSONValue.string))
  }
}

extension JSONValue {
  /// The strings, if the value is an array of strings only.
  fileprivate var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}

extension NotificationAlert {
  /// Whether there is a title, a body, or a localized title's or body's key that is not empty.
  var hasText: Bool {
    if title?.isEmpty == false || body?.isEmpty == false { return true }
    return [AlertKey.titleLocKey, .locKey].contains { other[$0]?.string?.isEmpty == false }
  }

  func checkForSending() throws(PayloadError) {
    for key in [AlertKey.launchImage, .titleLocKey, .subtitleLocKey, .locKey] {
      if let value = other[key] {
        try PayloadCheck.string(value, at: key.path)
      }
    }
    for (key, arguments) in AlertKey.localized {
      guard let value = other[arguments] else { continue }
      guard let strings = value.strings else {
        throw .invalid(key: arguments.path, rule: .mustBeArrayOfStrings)
      }
      for string in strings {
        _ = try PayloadCheck.text(string, at: arguments.path)
      }
      guard other[key] != nil else { throw .invalid(key: arguments.path, rule: .needsLocKey) }
    }
    switch other[AlertKey.actionLocKey] {
    case nil, .null: break
    case .string(let key): _ = try PayloadCheck.text(key, at: AlertKey.actionLocKey.path)
    default: throw .invalid(key: AlertKey.actionLocKey.path, rule: .mustBeStringOrNull)
    }
  }
}

/// A text that the app looks up in the user's language: a key of `Localizable.strings`, and its arguments.
public struct LocalizedText: Sendable {
  /// The entry's key, such as `GAME_PLAY_REQUEST_FORMAT`.
  public var key: String

  /// The values for `%@`, in order, or for `%1$@`, `%2$@` and so on.
  public var arguments: [String]

  /// Makes a text from an entry's key and its arguments.
  public init(key: String, arguments: [String] = []) {
    self.key = key
    self.arguments = arguments
  }
}

extension LocalizedText: Equatable {
  /// Whether keys and arguments are equal, compared by their UTF-8 bytes.
  public static func == (left: LocalizedText, right: LocalizedText) -> Bool {
    ExactString(left.key) == ExactString(right.key)
      && left.arguments.map(ExactString.init) == right.arguments.map(ExactString.init)
  }
}

/// The second button of an alert in early versions of iOS (`aps.alert.action-loc-key`).
///
/// iOS ignores it today: buttons come from the notification's category.
public enum AlertAction: Sendable {
  /// A text from the app's `Localizable.strings`, by its key.
  case localized(key: String)
  /// No second button (JSON null).
  case noButton
}

extension AlertAction: Equatable {
  /// Whether both are the same case with the same key, compared by its UTF-8 bytes.
  public static func == (left: AlertAction, right: AlertAction) -> Bool {
    switch (left, right) {
    case (.localized(let left), .localized(let right)): ExactString(left) == ExactString(right)
    case (.noButton, .noButton): true
    default: false
    }
  }
}

/// The keys that Apple defines in `aps.alert`.
enum AlertKey: String {
  case title, subtitle, body
  case launchImage = "launch-image"
  case titleLocKey = "title-loc-key"
  case titleLocArgs = "title-loc-args"
  case subtitleLocKey = "subtitle-loc-key"
  case subtitleLocArgs = "subtitle-loc-args"
  case locKey = "loc-key"
  case locArgs = "loc-args"
  case actionLocKey = "action-loc-key"

  /// The keys with a stored property; all others stay in `other`.
  fileprivate static let storedNames = [AlertKey.title, .subtitle, .body].map(\.rawValue)

  /// The members of each localized text: one for its key, and one for its arguments.
  fileprivate static let localized: [(key: AlertKey, arguments: AlertKey)] = [
    (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
  ]

  var path: String { "\(NotificationAlert.path).\(rawValue)" }
}

extension JSONObject {
  fileprivate subscript(key: AlertKey) -> JSONValue? {
    get { self[key.rawValue] }
    set { self[key.rawValue] = newValue }
  }
}

extension MemberSink {
  fileprivate mutating func append(_ text: String?, for key: AlertKey) throws(PayloadError) {
    guard let text else { return }
    append(.string(try PayloadCheck.text(text, at: key.path)), forNewKey: key.rawValue)
  }
}

/// Keeps a text out of logs.
extension NotificationAlert: CustomStringConvertible, CustomReflectable {
  /// What it is, without its texts.
  public var description: String { "alert" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Keeps a text out of logs.
extension LocalizedText: CustomStringConvertible, CustomReflectable {
  /// How many arguments there are.
  public var description: String { "localized text, \(arguments.count) arguments" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
