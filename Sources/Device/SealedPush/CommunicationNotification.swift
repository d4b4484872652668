internal import Foundation
internal import UserNotifications

#if canImport(Intents)
  private import Intents
#endif

extension UNMutableNotificationContent {
  /// The content as a communication notification; as it is if the system does not take the intent.
  ///
  /// On Linux nothing is donated: the conversation is what a test sees.
  nonisolated(nonsending) func communication(in conversation: Conversation) async
    -> UNMutableNotificationContent
  {
    let picture = takePicture(of: conversation.avatar)
    if threadIdentifier.isEmpty { threadIdentifier = conversation.id }
    #if canImport(Intents)
      let intent = INSendMessageIntent(conversation, picture: picture)
      let interaction = INInteraction(intent: intent, response: nil)
      interaction.direction = .incoming
      interaction.groupIdentifier = conversation.id
      // What is not donated is shown all the same.
      try? await interaction.donate()
      return (try? updating(from: intent))?.mutableCopy() as? UNMutableNotificationContent ?? self
    #else
      _ = picture
      return self
    #endif
  }

  /// Reads the picture, and takes it from the attachments if it is one.
  private func takePicture(of avatar: Conversation.Avatar?) -> Data? {
    let file: URL
    switch avatar {
    case nil: return nil
    case .file(let path): file = URL(fileURLWithPath: path)
    case .attachment(let number):
      guard attachments.indices.contains(number) else { return nil }
      file = attachments.remove(at: number).url
    }
    guard let reader = try? FileHandle(forReadingFrom: file) else { return nil }
    defer { try? reader.close() }
    let data = try? reader.read(upToCount: Conversation.maximumAvatarSize + 1)
    return data.flatMap { $0.count <= Conversation.maximumAvatarSize ? $0 : nil }
  }
}

#if canImport(Intents)
  extension INSendMessageIntent {
    /// An incoming message without its text.
    fileprivate convenience init(_ conversation: Conversation, picture: Data?) {
      let image = picture.map { INImage(imageData: $0) }
      let sender = INPerson(
        personHandle: INPersonHandle(value: conversation.senderID, type: .unknown), nameComponents: nil,
        displayName: conversation.senderName, image: conversation.groupName == nil ? image : nil,
        contactIdentifier: nil, customIdentifier: conversation.senderID)
      let group = conversation.groupName.map { INSpeakableString(spokenPhrase: $0) }
      // The system takes it for a group's if there are several recipients.
      let recipients = group == nil ? nil : [sender, sender]
      self.init(
        recipients: recipients, outgoingMessageType: .outgoingMessageText, content: nil,
        speakableGroupName: group, conversationIdentifier: conversation.id, serviceName: nil, sender: sender,
        attachments: nil)
      if group != nil, let image { setImage(image, forParameterNamed: \.speakableGroupName) }
    }
  }
#endif
