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
