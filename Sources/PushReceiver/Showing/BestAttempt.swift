internal import PushEnvelope
internal import PushPayload

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
