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
