/// A button of a notification that asks for text.
///
/// Models Apple's page "UNTextInputNotificationAction".
public class UNTextInputNotificationAction: UNNotificationAction {
  /// The title of the button that sends the text.
  public let textInputButtonTitle: String

  /// The placeholder of the empty text field.
  public let textInputPlaceholder: String

  /// Creates an action without an icon.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(
      identifier: identifier, titled: title, options: options, icon: nil, buttonTitle: textInputButtonTitle,
      placeholder: textInputPlaceholder)
  }

  /// Creates an action.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(
      identifier: identifier, titled: title, options: options, icon: icon, buttonTitle: textInputButtonTitle,
      placeholder: textInputPlaceholder)
  }

  init(
    identifier: String, titled title: String, options: UNNotificationActionOptions,
    icon: UNNotificationActionIcon?, buttonTitle textInputButtonTitle: String,
    placeholder textInputPlaceholder: String
  ) {
    self.textInputButtonTitle = textInputButtonTitle
    self.textInputPlaceholder = textInputPlaceholder
    super.init(identifier: identifier, titled: title, options: options, icon: icon)
  }

  /// Whether both have the same values.
  public override func isEqual(_ object: Any?) -> Bool {
    guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else { return false }
    return textInputButtonTitle == other.textInputButtonTitle
      && textInputPlaceholder == other.textInputPlaceholder
  }
}
