internal import PushCore
public import PushEnrolment
public import PushReceiver

/// Receipts, if the app wants them: the extension notes what it has opened, and the app reports that by a call of its own.
extension SharedPush {
  /// What the extension has opened, and the app has not reported yet; nothing is noted unless ``wantsReceipts``.
  public var receiptNotes: ReceiptNotes { ReceiptNotes(path: path(of: "notes/opened.json")) }

  /// Signs a receipt of what the extension has noted; nil without notes, and without keys.
  ///
  /// Post its `encoded()` bytes to the backend, and then call ``wasTaken(_:)``. If the app wants no receipts, the notes of when
  /// it did are forgotten, and the result is nil.
  ///
  /// - Throws: ``RegistrationFailure/file(_:)``, ``RegistrationFailure/keys(_:)``.
  public func receipt(signedBy keys: some EnrolmentStore) throws(RegistrationFailure) -> Receipt? {
    let messages = try notedMessages()
    // Not before they were read: none of them is noted later than the receipt is signed.
    do { return try keys.receipt(of: messages, topic, for: audience, at: clock.now) } catch {
      throw .keys("\(error)")
    }
  }

  private func notedMessages() throws(RegistrationFailure) -> [MessageID] {
    do throws(ReceiverFileError) {
      if wantsReceipts { return try receiptNotes.messages(at: clock.now) }
      try receiptNotes.forgetAll()
      return []
    } catch {
      throw .file(error)
    }
  }

  /// Forgets what is in a receipt that the backend has taken, but for the newest notes: `ReceiptNotes.settlingTime`.
  ///
  /// - Throws: ``RegistrationFailure/file(_:)``; then the next receipt has it again.
  public func wasTaken(_ receipt: Receipt) throws(RegistrationFailure) {
    do throws(ReceiverFileError) {
      try receiptNotes.forget(receipt.messages, reportedAt: receipt.issuedAt)
    } catch {
      throw .file(error)
    }
  }
}

extension PushRegistration {
  /// Reports to the backend which messages the extension has opened since the last time, and returns how many were reported.
  ///
  /// Call it when the app is launched or comes to the front. It reports nothing unless ``SharedPush/wantsReceipts``, and nothing
  /// without a registration. Messages that were noted within the last five minutes are reported once more the next time. What
  /// fails changes nothing of ``state``, and can be tried again.
  ///
  /// - Throws: ``RegistrationFailure``: ``RegistrationFailure/notFound`` if the service takes no receipts.
  @discardableResult
  public func sendReceipt() async throws(RegistrationFailure) -> Int {
    guard let receipt = try shared.receipt(signedBy: local.keys), try local.load().registration != nil else {
      return 0
    }
    try await client.send(receipt: receipt.encoded())
    try shared.wasTaken(receipt)
    return receipt.messages.count
  }
}
