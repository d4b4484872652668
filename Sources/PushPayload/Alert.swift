/// What a notification shows (`aps.alert`).
///
/// Apple's string form of an alert reads as the body, and is written as an object with that body.
public struct Alert: Sendable {
  /// The first line.
  public var title: String?

  /// The line below the title.
  public var subtitle: String?

  /// The text.
  public var body: String?

  /// All other members, kept exactly: `launch-image`, `loc-key`, `loc-args` and the like.
  ///
  /// Those that Apple defines have typed views, such as ``localizedBody``.
  public var other: JSONObject

  /// Makes an alert of its parts, each of which may be absent.
  public init(
    title: String? = nil, subtitle: String? = nil, body: String? = nil, other: JSONObject = [:]
  ) {
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.other = other
  }
}

extension Alert: Equatable {
  /// Whether all parts are equal, text compared by its bytes.
  public static func == (left: Alert, right: Alert) -> Bool {
    left.title.isExactly(right.title) && left.subtitle.isExactly(right.subtitle)
      && left.body.isExactly(right.body) && left.other == right.other
  }
}

extension Alert {
  static let path = "aps.alert"

  init(_ value: JSONValue) throws(PayloadError) {
    switch value {
    case .string(let body):
      self.init(body: try PayloadCheck.text(body, at: Self.path))
    case .object(let object):
      var members = MemberReader(object, path: Self.path)
      self.init(
        title: try members.text(AlertKey.title.rawValue),
        subtitle: try members.text(AlertKey.subtitle.rawValue),
        body: try members.text(AlertKey.body.rawValue))
      other = members.rest
    case .null, .boolean, .number, .array:
      throw .invalid(key: Self.path, rule: .mustBeStringOrObject)
    }
  }

  func payload() throws(PayloadError) -> JSONObject {
    var object = JSONObject()
    try object.append(title, for: .title)
    try object.append(subtitle, for: .subtitle)
    try object.append(body, for: .body)
    guard !other.isEmpty else { return object }
    try PayloadCheck.add(
      other, to: &object, reserving: AlertKey.stored.map(\.rawValue), path: Self.path)
    return object
  }
}

/// Typed views of ``Alert/other``.
///
/// A member of another type reads as nil, and stays as it is until the view is set.
/// ``RemoteNotification/checkForSending()`` names it.
extension Alert {
  /// The title by its key (`title-loc-key`, `title-loc-args`), shown if there is no ``title``.
  public var localizedTitle: LocalizedText? {
    get { localizedText(.titleLocKey, .titleLocArgs) }
    set { set(newValue, .titleLocKey, .titleLocArgs) }
  }

  /// The subtitle by its key (`subtitle-loc-key`, `subtitle-loc-args`), shown if there is no ``subtitle``.
  public var localizedSubtitle: LocalizedText? {
    get { localizedText(.subtitleLocKey, .subtitleLocArgs) }
    set { set(newValue, .subtitleLocKey, .subtitleLocArgs) }
  }

  /// The text by its key (`loc-key`, `loc-args`), shown if there is no ``body``.
  public var localizedBody: LocalizedText? {
    get { localizedText(.locKey, .locArgs) }
    set { set(newValue, .locKey, .locArgs) }
  }

  /// The name of the image or storyboard that the app shows while it starts (`launch-image`).
  public var launchImage: String? {
    get { other[AlertKey.launchImage]?.string }
    set { other[AlertKey.launchImage] = newValue.map(JSONValue.string) }
  }

  /// The second button's text in the first systems (`action-loc-key`); nil if nothing is said of it.
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

  /// Nil without a key, and if the arguments are anything but an array of strings.
  private func localizedText(_ keyKey: AlertKey, _ argumentsKey: AlertKey) -> LocalizedText? {
    guard let key = other[keyKey]?.string else { return nil }
    guard let value = other[argumentsKey] else { return LocalizedText(key) }
    guard let arguments = value.strings else { return nil }
    return LocalizedText(key, arguments: arguments)
  }

  /// Writes the arguments only if there are any.
  private mutating func set(_ text: LocalizedText?, _ keyKey: AlertKey, _ argumentsKey: AlertKey) {
    other[keyKey] = (text?.key).map(JSONValue.string)
    let arguments = text?.arguments ?? []
    other[argumentsKey] = arguments.isEmpty ? nil : .array(arguments.map(JSONValue.string))
  }
}

extension JSONValue {
  /// The strings if it is an array of nothing else.
  fileprivate var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}

extension Alert {
  /// Whether there is a title or a body, or the key of a localized one, that is not empty.
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

/// A text that the app has in the person's language: a key of its `Localizable.strings`, and what is put in.
public struct LocalizedText: Sendable {
  /// The entry's key, such as `GAME_PLAY_REQUEST_FORMAT`.
  public var key: String

  /// What takes the place of each `%@` in order, or of `%1$@`, `%2$@` and so on.
  public var arguments: [String]

  /// Names an entry and its arguments.
  public init(_ key: String, arguments: [String] = []) {
    self.key = key
    self.arguments = arguments
  }
}

extension LocalizedText: Equatable {
  /// Whether key and arguments are equal, compared by their bytes.
  public static func == (left: LocalizedText, right: LocalizedText) -> Bool {
    ExactString(left.key) == ExactString(right.key)
      && left.arguments.map(ExactString.init) == right.arguments.map(ExactString.init)
  }
}

/// What the first systems wrote on an alert's second button (`aps.alert.action-loc-key`).
///
/// Today the buttons come from the category.
public enum AlertAction: Sendable {
  /// The text with this key in the app's `Localizable.strings`.
  case localized(key: String)
  /// No second button: JSON's null.
  case noButton
}

extension AlertAction: Equatable {
  /// Whether both are of one kind, with the same bytes as key.
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

  /// Those whose value is a stored property of an alert; the others stay among its other members.
  fileprivate static let stored: [AlertKey] = [.title, .subtitle, .body]

  /// Each localized text: the key's key, and that of its arguments.
  fileprivate static let localized: [(key: AlertKey, arguments: AlertKey)] = [
    (.titleLocKey, .titleLocArgs), (.subtitleLocKey, .subtitleLocArgs), (.locKey, .locArgs),
  ]

  var path: String { "\(Alert.path).\(rawValue)" }
}

extension JSONObject {
  fileprivate subscript(key: AlertKey) -> JSONValue? {
    get { self[key.rawValue] }
    set { self[key.rawValue] = newValue }
  }

  fileprivate mutating func append(_ text: String?, for key: AlertKey) throws(PayloadError) {
    guard let text else { return }
    append(.string(try PayloadCheck.text(text, at: key.path)), forNewKey: key.rawValue)
  }
}
