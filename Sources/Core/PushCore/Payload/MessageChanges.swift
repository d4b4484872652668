/// What a message does to others that were shown before: it takes the place of one, or takes some back.
///
/// Both are sealed, in the content's reserved member: FORMAT.md, section 6. The IDs are those that the backend gave to the other
/// messages, of whatever device.
public struct MessageChanges: Hashable, Sendable {
  /// The most messages that one message can take back: 32.
  public static let maximumCount = 32

  /// The message whose place it takes; nil if it stands for itself.
  public let replaces: MessageID?

  /// The messages that it takes back.
  public let removes: [MessageID]

  /// Whether there are none.
  public var isEmpty: Bool { replaces == nil && removes.isEmpty }

  /// No changes.
  public static let none = MessageChanges(replaces: nil, removes: [])

  private init(replaces: MessageID?, removes: [MessageID]) {
    self.replaces = replaces
    self.removes = removes
  }

  private enum Key {
    static let replaces = "replaces"
    static let removes = "removes"
  }

  /// Reads the reserved member of an opened content.
  ///
  /// It never fails: what is not an ID, or is beyond the limit, is passed over.
  package init(reading value: JSONValue?) {
    let object = value?.object ?? [:]
    let isKnown = object[CallersMember.version]?.number?.integer == 1
    self.init(
      replaces: isKnown ? object[Key.replaces].flatMap(Self.message) : nil,
      removes: isKnown
        ? (object[Key.removes]?.array ?? []).prefix(Self.maximumCount)
          .compactMap(Self.message) : [])
  }

  /// An ID in its text form, which is in lower case.
  private static func message(in value: JSONValue) -> MessageID? {
    guard let text = value.string, let message = try? MessageID(text), message.text == text else {
      return nil
    }
    return message
  }

  /// Writes the changes into the reserved member.
  func write(into member: inout JSONObject) {
    member[Key.replaces] = replaces.map { .string($0.text) }
    member[Key.removes] = removes.isEmpty ? nil : .array(removes.map { .string($0.text) })
  }

  /// The same with other IDs.
  func changing(_ id: (MessageID) -> MessageID) -> MessageChanges {
    MessageChanges(replaces: replaces.map(id), removes: removes.map(id))
  }

  func replacing(_ message: MessageID) -> MessageChanges {
    MessageChanges(replaces: message, removes: removes)
  }

  fileprivate func removing(_ messages: [MessageID]) -> MessageChanges {
    MessageChanges(replaces: replaces, removes: messages)
  }
}

extension RemoteNotification {
  /// The same notification in the place of another message, which may be on the screen: an edited text, a missed call.
  ///
  /// The phone shows it under the other's identifier, so that iOS puts it in the other's place. Name the first message in every
  /// change, not the change before. A `sound` plays again: leave it out of a change that nobody needs to hear.
  public func replacing(_ message: MessageID) -> RemoteNotification { with(changes.replacing(message)) }

  /// The same notification, which takes other messages from the screen: they were read elsewhere, or deleted.
  ///
  /// At most ``MessageChanges/maximumCount``. In a background push the app does it. In an alert the extension does, and the
  /// notification needs a text for apps that may not show nothing, such as "Message deleted".
  public func removing(_ messages: [MessageID]) -> RemoteNotification { with(changes.removing(messages)) }

  /// What the message does to others.
  public var changes: MessageChanges { MessageChanges(reading: custom[EnvelopeKey.reserved]) }

  private func with(_ changes: MessageChanges) -> RemoteNotification {
    var other = self
    other.custom[EnvelopeKey.reserved] = CallersMember(changes: changes, bytes: bytes).json
    return other
  }
}
