public import PushCore

extension EnrichmentStep {
  /// Makes the text of a message that carries bytes of the app's own: a protobuf, or a message of MLS or Signal.
  ///
  /// `read` decrypts or decodes them, within the receiver's deadline, and returns the notification to show. It runs for messages
  /// with bytes alone, from a trusted sender, and also on a duplicate: a ratchet opens a message once, so keep the text in the
  /// app's store, and return it. If it throws, or takes too long, the notification's own text is shown.
  ///
  /// Its members replace all of the content; attachments that steps before it have fetched stay. So put it first.
  public static func reading(
    _ read:
      @escaping @Sendable (_ bytes: [UInt8], _ message: OpenedMessage) async throws -> RemoteNotification
  ) -> EnrichmentStep {
    var step = EnrichmentStep("bytes") { message in
      guard message.opened.sender != nil, let bytes = message.notification.bytes else { return [] }
      return [
        { content, message in
          let notification = try await read(bytes, message)
          var shown = try ShownContent(reading: notification)
          shown.attachments = content.attachments
          // What may have come before makes no sound.
          let isMuted = message.notification.sound != nil && content.sound == nil
          if message.opened.isDuplicate || isMuted { shown.sound = nil }
          return shown
        }
      ]
    }
    step.runsOnDuplicates = true
    return step
  }
}

extension ShownContent {
  /// The content of a notification that the app has made on the phone.
  fileprivate init(reading notification: RemoteNotification) throws(PayloadError) {
    self.init(
      of: notification, payload: try notification.payload(), isSigned: true, strings: NoStrings(),
      envelopeKey: .default)
  }
}
