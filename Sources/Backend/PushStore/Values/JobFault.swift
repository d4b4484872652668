public import PushCore

/// Why a row is not a job.
///
/// It contains none of the row's text, so it may be logged.
public enum JobFault: Error, Hashable, Sendable {
  /// The column's value is missing, or is not what the text says.
  case wrong(JobColumn, String)

  /// The payload is not a JSON object, or breaks a rule of Apple's format.
  case payload(PayloadError)

  /// Its time was up before it was leased.
  case expired(at: UnixTime)

  /// The column that is wrong.
  public var column: JobColumn {
    switch self {
    case .wrong(let column, _): column
    case .payload: .payload
    case .expired: .expiresAt
    }
  }
}

extension JobFault: CustomStringConvertible {
  /// The column, and what it must be, such as `person: must be 1 to 255 bytes without control characters`.
  public var description: String {
    switch self {
    case .wrong(let column, let rule): "\(column.rawValue): must be \(rule)"
    case .payload(.json(let error)):
      "payload: not a strict JSON object: \(error.reason.rawValue) at byte \(error.offset)"
    case .payload(let error): "payload: \(error)"
    case .expired(let time): "expires_at: expired at \(time.iso8601)"
    }
  }
}

/// A column of the table `job` that an application writes.
public enum JobColumn: String, Sendable, CaseIterable {
  /// A UUID.
  case messageID = "message_id"
  /// Whose devices it is for.
  case person
  /// A JSON object.
  case payload
  /// A bundle ID.
  case topic
  /// 0 to 9.
  case priority
  /// A time.
  case notBefore = "not_before"
  /// A time.
  case expiresAt = "expires_at"
  /// Seconds.
  case lifetime
  /// 10, 5 or 1.
  case apnsPriority = "apns_priority"
  /// 1 to 64 visible ASCII characters.
  case collapseID = "collapse_id"
  /// A time.
  case createdAt = "created_at"
  /// One of the types that can be sealed, such as `alert`.
  case pushType = "push_type"
  /// A boolean.
  case outcome
  /// The application's own name for what the message is about.
  case key = "job_key"
  /// `replace` or `skip`.
  case onKey = "on_key"
  /// Seconds.
  case uniqueFor = "unique_for"
  /// A UUID.
  case replaces
  /// W3C's header.
  case traceparent
  /// The name of a Live Activity.
  case activity

  static let traceparentRule = "a traceparent of W3C's Trace Context, of 55 characters"
  static let uniqueForRule = "a whole number of seconds from 0 to 2592000, with on_key 'skip'"
  static let onKeyRule = "replace or skip, with a job_key"
  static let replacesRule = "a UUID, other than the message's own"
  static let outcomeRule = "true or false"

  static let pushTypeRule =
    "alert, background, voip, complication, pushtotalk or liveactivity; the others carry nothing that can be sealed"
  static let activityRule =
    "the name of a Live Activity that is updated or ended, of 1 to 128 bytes; null for every other push"
  static let nameRule = "1 to 255 bytes of UTF-8 without control characters"
}
