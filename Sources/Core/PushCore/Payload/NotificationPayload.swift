extension RemoteNotification {
  static let apsKey = "aps"

  /// Reads a payload's JSON in UTF-8, at most 32 levels deep.
  ///
  /// Parsing is as strict as `JSONObject.init(parsing:maximumDepth:)`. Throws `json` if the bytes are not a JSON
  /// object, otherwise the errors of ``init(payload:)``.
  public init(parsing bytes: Span<UInt8>) throws(PayloadError) {
    let payload: JSONObject
    do throws(JSONError) {
      payload = try JSONObject(parsing: bytes, maximumDepth: PayloadCheck.maximumDepth)
    } catch {
      throw .json(error)
    }
    try self.init(parsed: payload)
  }

  /// Reads a payload, which must have an `aps` object.
  ///
  /// Throws `invalid`, with the key's path and the rule, if a member with a property here has the wrong type or is
  /// out of range. All other members are kept unchecked.
  public init(payload: JSONObject) throws(PayloadError) {
    try PayloadCheck.depth(of: payload)
    try self.init(parsed: payload)
  }

  /// Reads a payload that was parsed with the default depth limit, so its nesting need not be checked again.
  package init(parsed payload: JSONObject) throws(PayloadError) {
    guard let value = payload[Self.apsKey] else { throw .invalid(key: Self.apsKey, rule: .missing) }
    guard let aps = value.object else { throw .invalid(key: Self.apsKey, rule: .mustBeObject) }
    try self.init(aps: aps, custom: payload.without([Self.apsKey]))
  }

  private init(aps: JSONObject, custom: JSONObject) throws(PayloadError) {
    let members = MemberReader(of: aps, path: Self.apsKey)
    var alert: NotificationAlert?
    if let value = members.value(at: APSKey.alert.rawValue) { alert = try NotificationAlert(parsing: value) }
    let badge = try members.count(at: APSKey.badge.rawValue)
    var (sound, otherSound): (Sound?, JSONObject) = (nil, [:])
    if let value = members.value(at: APSKey.sound.rawValue) {
      (sound, otherSound) = try Sound.read(from: value)
    }
    self.init(
      alert: alert, badge: badge, sound: sound, otherSound: otherSound,
      threadID: try members.text(at: APSKey.threadID.rawValue),
      category: try members.text(at: APSKey.category.rawValue),
      targetContentID: try members.text(at: APSKey.targetContentID.rawValue),
      interruptionLevel: try Self.interruptionLevel(from: members),
      relevanceScore: try Self.relevanceScore(from: members),
      otherAPS: aps.without(APSKey.storedNames), custom: custom)
  }

  private static func interruptionLevel(from members: MemberReader) throws(PayloadError) -> InterruptionLevel?
  {
    guard let name = try members.text(at: APSKey.interruptionLevel.rawValue) else { return nil }
    guard let level = InterruptionLevel(rawValue: name) else {
      throw .invalid(key: APSKey.interruptionLevel.path, rule: .unknownValue)
    }
    return level
  }

  private static func relevanceScore(from members: MemberReader) throws(PayloadError) -> Double? {
    // For a Live Activity, iOS compares the score only with the app's other activities, so any amount is valid.
    members.value(at: APSKey.event.rawValue) == nil
      ? try members.fraction(at: APSKey.relevanceScore.rawValue)
      : try members.amount(at: APSKey.relevanceScore.rawValue)
  }

  /// Writes the payload: `aps` first, then the custom members in order.
  ///
  /// Throws `invalid`, with the key's path and the rule, for a value that ``init(payload:)`` would reject, for a key
  /// in ``otherAPS`` that has a property of its own, and for a custom member named `aps`.
  public func payload() throws(PayloadError) -> JSONObject {
    var payload = JSONObject()
    payload.reserveCapacity(1 + custom.count)
    try write(to: &payload)
    return payload
  }

  /// The payload as canonical JSON, in half the time of `payload().encoded()`.
  ///
  /// - Throws: As ``payload()``.
  package func encoded() throws(PayloadError) -> [UInt8] {
    var writer = ObjectWriter()
    try write(to: &writer)
    return writer.finish()
  }

  private func write(to payload: inout some MemberSink) throws(PayloadError) {
    guard custom[Self.apsKey] == nil else { throw .invalid(key: Self.apsKey, rule: .reservedKey) }
    try payload.append(objectForNewKey: Self.apsKey) { (aps) throws(PayloadError) in try writeAPS(to: &aps) }
    for (key, value) in custom { payload.append(value, forNewKey: key) }
    try checkDepth()
  }

  private func writeAPS(to aps: inout some MemberSink) throws(PayloadError) {
    if let alert {
      try aps.append(objectForNewKey: APSKey.alert.rawValue) { (object) throws(PayloadError) in
        try alert.write(to: &object)
      }
    }
    if let badge {
      aps.append(.number(try PayloadCheck.count(badge, at: APSKey.badge.path)), for: .badge)
    }
    if let sound {
      aps.append(try sound.payload(with: otherSound), for: .sound)
    }
    try aps.append(threadID, for: .threadID)
    try aps.append(category, for: .category)
    try aps.append(targetContentID, for: .targetContentID)
    if let interruptionLevel {
      aps.append(.string(interruptionLevel.rawValue), for: .interruptionLevel)
    }
    if let relevanceScore {
      let check = otherAPS[APSKey.event] == nil ? PayloadCheck.fraction : PayloadCheck.amount
      let number = try check(relevanceScore, APSKey.relevanceScore.path)
      aps.append(.number(number), for: .relevanceScore)
    }
    guard !otherAPS.isEmpty else { return }
    try PayloadCheck.add(
      otherAPS, to: &aps, reserving: APSKey.storedNames, path: Self.apsKey)
  }

  /// Checks that the payload is not nested too deeply to be read again.
  private func checkDepth() throws(PayloadError) {
    // The payload is the first level, `aps` the second, and an object in `aps` the third.
    let limit = PayloadCheck.maximumDepth
    guard !otherAPS.isNested(deeperThan: limit - 1), alert?.other.isNested(deeperThan: limit - 2) != true,
      sound == nil || !otherSound.isNested(deeperThan: limit - 2)
    else { throw .invalid(key: Self.apsKey, rule: .tooDeep) }
    guard !custom.isNested(deeperThan: limit) else { throw .invalid(key: "custom", rule: .tooDeep) }
  }
}

extension MemberSink {
  fileprivate mutating func append(_ value: JSONValue, for key: APSKey) {
    append(value, forNewKey: key.rawValue)
  }

  fileprivate mutating func append(_ text: String?, for key: APSKey) throws(PayloadError) {
    guard let text else { return }
    append(.string(try PayloadCheck.text(text, at: key.path)), for: key)
  }
}

/// The keys that Apple defines in `aps`.
enum APSKey: String, CaseIterable {
  case alert, badge, sound, category, timestamp, event, attributes
  case threadID = "thread-id"
  case targetContentID = "target-content-id"
  case interruptionLevel = "interruption-level"
  case relevanceScore = "relevance-score"
  case contentAvailable = "content-available"
  case mutableContent = "mutable-content"
  case filterCriteria = "filter-criteria"
  case contentState = "content-state"
  case staleDate = "stale-date"
  case dismissalDate = "dismissal-date"
  case attributesType = "attributes-type"
  case inputPushToken = "input-push-token"
  case inputPushChannel = "input-push-channel"

  /// The keys with a stored property; all others stay in `otherAPS`.
  fileprivate static let storedNames = [
    APSKey.alert, .badge, .sound, .category, .threadID, .targetContentID, .interruptionLevel, .relevanceScore,
  ].map(\.rawValue)

  /// The keys of a Live Activity.
  static let liveActivity: [APSKey] = [
    .timestamp, .event, .contentState, .staleDate, .dismissalDate, .attributesType, .attributes,
  ]

  /// The keys that an app is unlikely to choose for a custom member.
  static let misplaceable = allCases.filter { ![.timestamp, .event, .attributes].contains($0) }

  var path: String { "\(RemoteNotification.apsKey).\(rawValue)" }
}

extension JSONObject {
  subscript(key: APSKey) -> JSONValue? {
    get { self[key.rawValue] }
    set { self[key.rawValue] = newValue }
  }
}
