public import PushCore
internal import PushNetwork

/// APNs' last answer to a push.
public struct APNsResponse: Hashable, Sendable {
  /// The HTTP status: 200 if APNs accepted the push.
  public let status: Int

  /// Why APNs did not accept it; nil if it did, or gave no reason.
  public let reason: APNsReason?

  /// The message's ID, as APNs repeats it (`apns-id`).
  public let id: String?

  /// APNs' own ID of the push, in the sandbox, for Apple's Push Notifications Console (`apns-unique-id`).
  public let uniqueID: String?

  /// With status 410: when APNs learned that the token is no longer valid (`timestamp`).
  ///
  /// Keep a token that the app registered after that.
  public var unregisteredAt: UnixTime? {
    milliseconds.map { UnixTime(milliseconds: $0) ?? UnixTime(clamping: 0) }
  }

  /// APNs' `timestamp`, in milliseconds since 1970.
  package let milliseconds: Int64?

  /// How long APNs asks to wait, as `retry-after` says in seconds or as a date; at most a day.
  public let retryAfter: Duration?

  /// How often the push was sent, this time included, without attempts that APNs certainly did not process.
  public internal(set) var attempts = 1

  /// Whether APNs may have accepted the push twice, because an attempt before this one had no answer.
  ///
  /// Both have the same message ID and collapse ID, so the device shows the push once.
  public internal(set) var mayBeDuplicate = false

  /// Whether APNs accepted the push.
  public var isAccepted: Bool { status == 200 }

  /// What the answer says about the device and the push.
  ///
  /// Only APNs' own reasons, or an answer with the message's ``id``, say something against either of them.
  public var verdict: Verdict {
    switch (status, reason) {
    case (200, _): .accepted
    case (_, .badDeviceToken?), (_, .deviceTokenNotForTopic?): .quarantineDevice
    case (410, .unregistered?), (410, .expiredToken?):
      unregisteredAt == nil ? .quarantineDevice : .removeToken
    case (400, .idleTimeout?), (403, _), (429, _), (500..., _): .keep
    case (_, let reason): reason?.isKnown == true || id != nil ? .discard : .keep
    }
  }

  /// What to do with a push and its device.
  public enum Verdict: Sendable {
    /// APNs has the push.
    case accepted
    /// The token may belong to the other environment or another app, or APNs does not say since when it is no longer
    /// valid: do not send to it, and do not delete it. Many of these at once mean that the configuration is wrong.
    case quarantineDevice
    /// The token is no longer valid, unless the app registered it after ``APNsResponse/unregisteredAt``.
    case removeToken
    /// The push is wrong, and would be refused at any other time too.
    case discard
    /// The push is right: keep it for later.
    case keep
  }

  /// Makes an answer, as another client gives it, or a test.
  public init(
    status: Int, reason: APNsReason? = nil, id: String? = nil, uniqueID: String? = nil,
    unregisteredAt: UnixTime? = nil, retryAfter: Duration? = nil
  ) {
    self.status = status
    self.reason = reason
    self.id = id
    self.uniqueID = uniqueID
    milliseconds = unregisteredAt.map { $0.seconds * 1000 }
    self.retryAfter = retryAfter
  }

  /// Reads an answer; nil if it is not APNs' own, which has the message's ID or a reason of Apple's table.
  init?(_ response: HTTP2Response, at now: @autoclosure () -> UnixTime) {
    status = response.status
    id = response["apns-id"].flatMap(Self.identifier)
    uniqueID = response["apns-unique-id"].flatMap(Self.identifier)
    retryAfter = Self.retryAfter(of: response, at: now())
    // An acceptance has no body.
    let body =
      response.body.isEmpty ? nil : try? JSONObject(parsing: response.body.span, maximumDepth: 8)
    reason = body?["reason"]?.string.flatMap(APNsReason.init(answered:))
    milliseconds = body?["timestamp"]?.number?.integer
    guard id != nil || status != 200 && reason?.isKnown == true else { return nil }
  }

  /// How long an answer asks to wait.
  static func retryAfter(of response: HTTP2Response, at now: @autoclosure () -> UnixTime) -> Duration? {
    response["retry-after"].flatMap { wait($0, at: now()) }
  }

  /// Checks an ID, which goes into logs: at most 64 letters, digits and hyphens; nil for any other text.
  private static func identifier(_ text: String) -> String? {
    let isID = text.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        || byte == 0x2d
    }
    return isID && text.utf8.count <= 64 ? text : nil
  }

  /// The wait that `retry-after` asks for; nil if it is neither a number of seconds nor a date.
  private static func wait(_ text: String, at now: UnixTime) -> Duration? {
    let isNumber = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    // A number that is too large for its type is longer than any wait.
    let seconds = isNumber ? Int64(text) ?? .max : HTTPDate.parse(text).map { $0.seconds - now.seconds }
    return seconds.map { .seconds(min(max($0, 0), longestWait)) }
  }

  /// A day, in seconds.
  private static let longestWait: Int64 = 86_400
}
