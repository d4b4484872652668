/// A remote notification's content for a Live Activity.
///
/// Source: Apple, "Starting and updating Live Activities with ActivityKit push notifications".
public struct LiveActivity: Sendable {
  /// The change that a notification makes to a Live Activity.
  ///
  /// The raw values are those of `aps.event`.
  public enum Event: String, Sendable, CaseIterable {
    /// The activity starts.
    case start
    /// The activity's state changes.
    case update
    /// The activity ends.
    case end
  }

  /// The change (`event`).
  public var event: Event

  /// When the change was sent (`timestamp`).
  ///
  /// The system ignores updates that are older than the one it shows, so one with a time in milliseconds would hide all
  /// that follow, and one with a time counted from 2001 would be ignored. ``RemoteNotification/checkForSending()``
  /// refuses both.
  public var timestamp: UnixTime

  /// The state to show, the app's own type in JSON (`content-state`).
  ///
  /// Required unless the event is `end`.
  public var contentState: JSONObject?

  /// When the state becomes outdated (`stale-date`).
  ///
  /// A time before ``timestamp`` makes it outdated at once.
  public var staleDate: UnixTime?

  /// When the system removes an ended activity from the screen (`dismissal-date`).
  ///
  /// A time in the past removes it at once.
  public var dismissalDate: UnixTime?

  /// The name of the attributes' type (`attributes-type`).
  ///
  /// Required if the event is `start`.
  public var attributesType: String?

  /// The data that never changes, the app's own type in JSON (`attributes`).
  ///
  /// Required if the event is `start`.
  public var attributes: JSONObject?

  /// Makes a value from its parts.
  ///
  /// ``RemoteNotification/checkForSending()`` checks them.
  public init(
    _ event: Event, timestamp: UnixTime, contentState: JSONObject? = nil, staleDate: UnixTime? = nil,
    dismissalDate: UnixTime? = nil, attributesType: String? = nil, attributes: JSONObject? = nil
  ) {
    self.event = event
    self.timestamp = timestamp
    self.contentState = contentState
    self.staleDate = staleDate
    self.dismissalDate = dismissalDate
    self.attributesType = attributesType
    self.attributes = attributes
  }
}

extension LiveActivity: Equatable {
  /// Whether all parts are equal.
  ///
  /// Text is compared by its UTF-8 bytes.
  public static func == (left: LiveActivity, right: LiveActivity) -> Bool {
    left.event == right.event && left.timestamp == right.timestamp
      && left.contentState == right.contentState && left.staleDate == right.staleDate
      && left.dismissalDate == right.dismissalDate
      && left.attributesType.isExactly(right.attributesType) && left.attributes == right.attributes
  }
}

extension LiveActivity {
  /// Reads the members of a Live Activity from `aps` and ignores all others.
  init(aps: JSONObject) throws(PayloadError) {
    let members = MemberReader(of: aps, path: RemoteNotification.apsKey)
    guard let name = try members.text(at: APSKey.event.rawValue) else {
      throw .invalid(key: APSKey.event.path, rule: .missing)
    }
    guard let event = Event(rawValue: name) else {
      throw .invalid(key: APSKey.event.path, rule: .unknownValue)
    }
    guard let timestamp = try members.time(at: APSKey.timestamp.rawValue) else {
      throw .invalid(key: APSKey.timestamp.path, rule: .missing)
    }
    self.init(
      event, timestamp: timestamp, contentState: try members.object(at: APSKey.contentState.rawValue),
      staleDate: try members.time(at: APSKey.staleDate.rawValue),
      dismissalDate: try members.time(at: APSKey.dismissalDate.rawValue),
      attributesType: try members.text(at: APSKey.attributesType.rawValue),
      attributes: try members.object(at: APSKey.attributes.rawValue))
  }

  /// Sets the members of a Live Activity, and removes the members that are nil here.
  func write(to aps: inout JSONObject) {
    aps[APSKey.timestamp] = .number(JSONNumber(timestamp.seconds))
    aps[APSKey.event] = .string(event.rawValue)
    aps[APSKey.contentState] = contentState.map(JSONValue.object)
    aps[APSKey.staleDate] = staleDate.map { .number(JSONNumber($0.seconds)) }
    aps[APSKey.dismissalDate] = dismissalDate.map { .number(JSONNumber($0.seconds)) }
    aps[APSKey.attributesType] = attributesType.map(JSONValue.string)
    aps[APSKey.attributes] = attributes.map(JSONValue.object)
  }

  /// Checks that every member that the event requires is there, and that the times can be times.
  func checkForSending() throws(PayloadError) {
    let isThere: [(APSKey, Bool)] =
      switch event {
      case .start:
        [
          (.contentState, contentState != nil), (.attributesType, attributesType != nil),
          (.attributes, attributes != nil),
        ]
      case .update: [(.contentState, contentState != nil)]
      case .end: []
      }
    for case (let key, false) in isThere {
      throw .invalid(key: key.path, rule: .missing)
    }
    for (key, time) in times where MistakenTime(time) == .milliseconds {
      throw .invalid(key: key.path, rule: .mustBeSeconds)
    }
    guard MistakenTime(timestamp) != .since2001 else {
      throw .invalid(key: APSKey.timestamp.path, rule: .mustBeSince1970)
    }
  }

  /// The members that are probably counted from 2001, where a time in the past may be meant.
  var timesSince2001: [APSKey] {
    times.filter { $0.key != .timestamp && MistakenTime($0.time) == .since2001 }.map(\.key)
  }

  private var times: [(key: APSKey, time: UnixTime)] {
    let all: [(APSKey, UnixTime?)] = [
      (.timestamp, timestamp), (.staleDate, staleDate), (.dismissalDate, dismissalDate),
    ]
    return all.compactMap { key, time in time.map { (key, $0) } }
  }
}

/// Keeps an activity's state out of logs.
extension LiveActivity: CustomStringConvertible, CustomReflectable {
  /// The event alone.
  public var description: String { "Live Activity, \(event.rawValue)" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
