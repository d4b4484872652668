/// What a remote notification says to a Live Activity.
///
/// Times are in Unix seconds, not below 0. Source: Apple, "Starting and updating Live Activities with
/// ActivityKit push notifications".
public struct LiveActivity: Sendable {
  /// What becomes of a Live Activity.
  ///
  /// The raw values are those of `aps.event`.
  public enum Event: String, Sendable, CaseIterable {
    /// It begins.
    case start
    /// It shows another state.
    case update
    /// It is over.
    case end
  }

  /// What becomes of it (`event`).
  public var event: Event

  /// When it was sent; the system ignores what is older than what it has (`timestamp`).
  public var timestamp: Int

  /// What it shows, the app's own type in JSON (`content-state`); needed but at the end.
  public var contentState: JSONObject?

  /// When the state is out of date (`stale-date`).
  public var staleDate: Int?

  /// When an ended one leaves the screen (`dismissal-date`).
  public var dismissalDate: Int?

  /// The name of the type of the attributes (`attributes-type`); needed at the start.
  public var attributesType: String?

  /// What never changes in it, the app's own type in JSON (`attributes`); needed at the start.
  public var attributes: JSONObject?

  /// Makes one of its parts.
  ///
  /// The values are checked by ``RemoteNotification/checkForSending()``.
  public init(
    _ event: Event, timestamp: Int, contentState: JSONObject? = nil, staleDate: Int? = nil,
    dismissalDate: Int? = nil, attributesType: String? = nil, attributes: JSONObject? = nil
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
  /// Whether all parts are equal, text compared by its bytes.
  public static func == (left: LiveActivity, right: LiveActivity) -> Bool {
    left.event == right.event && left.timestamp == right.timestamp
      && left.contentState == right.contentState && left.staleDate == right.staleDate
      && left.dismissalDate == right.dismissalDate
      && left.attributesType.isExactly(right.attributesType) && left.attributes == right.attributes
  }
}

extension LiveActivity {
  /// Reads the members that a Live Activity has in `aps`; the others are not looked at.
  init(aps: JSONObject) throws(PayloadError) {
    var members = MemberReader(aps, path: RemoteNotification.apsKey)
    guard let name = try members.text(APSKey.event.rawValue) else {
      throw .invalid(key: APSKey.event.path, rule: .missing)
    }
    guard let event = Event(rawValue: name) else {
      throw .invalid(key: APSKey.event.path, rule: .unknownValue)
    }
    guard let timestamp = try members.count(APSKey.timestamp.rawValue) else {
      throw .invalid(key: APSKey.timestamp.path, rule: .missing)
    }
    self.init(
      event, timestamp: timestamp, contentState: try members.object(APSKey.contentState.rawValue),
      staleDate: try members.count(APSKey.staleDate.rawValue),
      dismissalDate: try members.count(APSKey.dismissalDate.rawValue),
      attributesType: try members.text(APSKey.attributesType.rawValue),
      attributes: try members.object(APSKey.attributes.rawValue))
  }

  /// Sets all the members of a Live Activity, and removes those that are nil here.
  func write(to aps: inout JSONObject) {
    aps[APSKey.timestamp] = .number(JSONNumber(timestamp))
    aps[APSKey.event] = .string(event.rawValue)
    aps[APSKey.contentState] = contentState.map(JSONValue.object)
    aps[APSKey.staleDate] = staleDate.map { .number(JSONNumber($0)) }
    aps[APSKey.dismissalDate] = dismissalDate.map { .number(JSONNumber($0)) }
    aps[APSKey.attributesType] = attributesType.map(JSONValue.string)
    aps[APSKey.attributes] = attributes.map(JSONValue.object)
  }

  /// Checks that all is there that the event needs.
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
  }
}
