/// A button of a notification that asks for a text.
///
/// Models Apple's page "UNTextInputNotificationAction".
public class UNTextInputNotificationAction: UNNotificationAction {
  /// What the button that sends the text says.
  public let textInputButtonTitle: String

  /// What stands in the empty field.
  public let textInputPlaceholder: String

  /// Makes an action without a picture.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(identifier, title, options, nil, textInputButtonTitle, textInputPlaceholder)
  }

  /// Makes an action.
  public convenience init(
    identifier: String, title: String, options: UNNotificationActionOptions = [],
    icon: UNNotificationActionIcon?, textInputButtonTitle: String, textInputPlaceholder: String
  ) {
    self.init(identifier, title, options, icon, textInputButtonTitle, textInputPlaceholder)
  }

  init(
    _ identifier: String, _ title: String, _ options: UNNotificationActionOptions,
    _ icon: UNNotificationActionIcon?, _ textInputButtonTitle: String, _ textInputPlaceholder: String
  ) {
    self.textInputButtonTitle = textInputButtonTitle
    self.textInputPlaceholder = textInputPlaceholder
    super.init(identifier, title, options, icon)
  }

  /// Whether both are the same button and ask alike.
  public override func isEqual(_ object: Any?) -> Bool {
    guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else { return false }
    return textInputButtonTitle == other.textInputButtonTitle
      && textInputPlaceholder == other.textInputPlaceholder
  }
}
