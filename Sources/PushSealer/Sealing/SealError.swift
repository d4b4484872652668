public import PushAttachments
public import PushPayload

/// Why a notification was not sealed.
///
/// Nothing was made that could be sent.
public enum SealError: Error, Equatable, Sendable {
  /// The notification breaks a rule of Apple's format.
  case payload(PayloadError)

  /// It has no title, body or key of a localized one, so the system would show what came instead.
  case nothingToShow

  /// It has a top-level member that the format keeps for itself.
  case reservedKey(String)

  /// The attachments cannot be sent: one has no address, or there are too many.
  case attachments(AttachmentError)

  /// There are attachments, and it is a push that shows nothing.
  case attachmentsOfData

  /// It is too long: the smallest sealed payload would have `bytes`, and APNs takes `limit`.
  case tooLarge(bytes: Int, limit: Int)

  /// What is asked of APNs cannot be had.
  case headers(HeaderError)

  /// The recipient's public key is refused.
  case recipientRefused

  /// The system's cryptographic library does not work.
  case cryptoUnavailable
}
