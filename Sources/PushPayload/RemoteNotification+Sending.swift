extension RemoteNotification {
  /// Checks what a sender must keep to, beyond what a receiver insists on.
  ///
  /// A notification that is opened is judged by ``init(payload:)`` alone, so that a mistake in a member that
  /// the system ignores does not cost the person the message. Throws `invalid`, with the key's path and the
  /// rule, for the first of these: what ``payload()`` refuses; a member with a typed view that is of another
  /// type; arguments without their localization key; an alert, badge or sound beside `content-available`; a
  /// Live Activity without what its event needs.
  public func checkForSending() throws(PayloadError) {
    _ = try payload()
    try alert?.checkForSending()
    for key in [APSKey.contentAvailable, .mutableContent] {
      guard otherAPS[key]?.isOne != false else { throw .invalid(key: key.path, rule: .mustBe1) }
    }
    if let value = otherAPS[APSKey.filterCriteria] {
      try PayloadCheck.string(value, at: APSKey.filterCriteria.path)
    }
    if contentAvailable {
      let isShown: [(APSKey, Bool)] = [
        (.alert, alert != nil), (.badge, badge != nil), (.sound, sound != nil),
      ]
      for case (let key, true) in isShown {
        throw .invalid(key: key.path, rule: .notBesideContentAvailable)
      }
    }
    if isLiveActivity {
      let activity = try LiveActivity(aps: otherAPS)
      try activity.checkForSending()
      guard activity.event != .start || alert != nil else {
        throw .invalid(key: APSKey.alert.path, rule: .missing)
      }
    }
  }
}

extension Alert {
  func checkForSending() throws(PayloadError) {
    for key in [AlertKey.launchImage, .titleLocKey, .subtitleLocKey, .locKey] {
      if let value = other[key] {
        try PayloadCheck.string(value, at: key.path)
      }
    }
    for (key, arguments) in AlertKey.localized {
      guard let value = other[arguments] else { continue }
      guard let strings = value.strings else {
        throw .invalid(key: arguments.path, rule: .mustBeArrayOfStrings)
      }
      for string in strings {
        _ = try PayloadCheck.text(string, at: arguments.path)
      }
      guard other[key] != nil else { throw .invalid(key: arguments.path, rule: .needsLocKey) }
    }
    switch other[AlertKey.actionLocKey] {
    case nil, .null: break
    case .string(let key): _ = try PayloadCheck.text(key, at: AlertKey.actionLocKey.path)
    default: throw .invalid(key: AlertKey.actionLocKey.path, rule: .mustBeStringOrNull)
    }
  }
}
