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
  var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }

  /// Whether it is the number 1, written so.
  var isOne: Bool { number?.literal == "1" }
}
