public import PushPayload

/// A message that was opened and checked.
public struct OpenedMessage: Equatable, Sendable {
  /// What is known of it.
  public let opened: Opened

  /// Its content as values.
  public let notification: RemoteNotification

  /// Its content as JSON, the format's own members included, if there are any.
  public let payload: JSONObject

  /// Its content's bytes, exactly as they were sealed.
  public let json: [UInt8]

  /// The same message after the replay store was asked.
  func with(_ repetition: Repetition) -> OpenedMessage {
    let opened = Opened(
      sender: opened.sender, recipient: opened.recipient, claims: opened.claims, repetition: repetition)
    return OpenedMessage(opened: opened, notification: notification, payload: payload, json: json)
  }
}
