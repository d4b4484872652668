public import PushPayload

/// Findings about a payload for APNs, sealed or not, that its sender should review.
public struct Lint: Sendable {
  /// One finding.
  public struct Finding: Equatable, Sendable {
    /// A stable code: the broken rule, a `PayloadWarning.Code`, or a ``Visible``.
    public let code: String
    /// The member's path.
    public let key: String
    /// Whether APNs or the system would reject it.
    public let isFault: Bool
  }

  /// What a payload leaks to Apple and to everyone else who handles it.
  public enum Visible: String, Sendable, CaseIterable {
    /// There is no envelope: everything can be read.
    case notSealed = "not-sealed"
    /// A text that is not the placeholder.
    case text = "visible-text"
    /// The arguments of a localized text.
    case arguments = "visible-loc-args"
    /// The number on the app's icon.
    case badge = "visible-badge"
    /// The notification's sound.
    case sound = "visible-sound"
    /// The group of the notification, such as a conversation.
    case thread = "visible-thread-id"
    /// The kind of message.
    case category = "visible-category"
    /// How much the notification may disturb.
    case interruptionLevel = "visible-interruption-level"
    /// Its rank in the summary.
    case relevanceScore = "visible-relevance-score"
    /// The window or Focus that it belongs to.
    case target = "visible-target"
    /// One of the app's own members.
    case customKey = "visible-custom-key"
    /// A collapse id (a header) other than the message id.
    case collapseID = "visible-collapse-id"
    /// An envelope that no extension will open, because `mutable-content` is missing.
    case extensionNotRun = "extension-not-run"
  }

  /// The findings, faults first.
  public let findings: [Finding]

  /// Checks a payload.
  public init(_ payload: JSONObject, envelopeKey: EnvelopeKey = .default) {
    findings = Self.faults(payload) + Self.warnings(payload) + Self.visible(payload, envelopeKey)
  }

  /// Checks a payload that will be sealed, so nothing in it leaks.
  ///
  /// APNs does not see it either, so no finding is a fault.
  public init(content payload: JSONObject) {
    findings = (Self.faults(payload) + Self.warnings(payload)).map { finding in
      Finding(code: finding.code, key: finding.key, isFault: false)
    }
  }

  /// Checks a push that was sealed with a policy, including its headers.
  public init(_ push: SealedPush, policy: SealingPolicy) {
    guard let payload = try? JSONObject(parsing: push.payload.span) else {
      preconditionFailure("a sealed payload is JSON")
    }
    let collapseID = push.headers.collapseID.map { _ in
      Finding(code: Visible.collapseID.rawValue, key: "apns-collapse-id", isFault: false)
    }
    var findings = Lint(payload, envelopeKey: policy.envelopeKey).findings
    let sound = Finding(code: Visible.sound.rawValue, key: "aps.sound", isFault: false)
    // If the visible sound is the content's own, even silence or the default sound leaks something.
    if policy.pushType == .alert, policy.visible.contains(.sound), !findings.contains(sound) {
      findings.append(sound)
    }
    self.findings = findings + [collapseID].compactMap(\.self)
  }

  private static func faults(_ payload: JSONObject) -> [Finding] {
    do throws(PayloadError) {
      try RemoteNotification(payload: payload).checkForSending()
      return []
    } catch {
      guard case .invalid(let key, let rule) = error else { return [] }
      return [Finding(code: rule.rawValue, key: key, isFault: true)]
    }
  }

  private static func warnings(_ payload: JSONObject) -> [Finding] {
    let warnings = (try? RemoteNotification(payload: payload))?.warnings ?? []
    return warnings.map { Finding(code: $0.code.rawValue, key: $0.key, isFault: false) }
  }

  private static func visible(_ payload: JSONObject, _ envelopeKey: EnvelopeKey) -> [Finding] {
    var findings: [Finding] = []
    func find(_ visible: Visible, _ key: String) {
      findings.append(Finding(code: visible.rawValue, key: key, isFault: false))
    }
    let aps = payload["aps"]?.object ?? [:]
    if envelopeKey.value(in: payload) == nil { find(.notSealed, envelopeKey.text) }
    if payload[envelopeKey.text] != nil, aps["alert"] != nil, aps["mutable-content"]?.number?.integer != 1 {
      find(.extensionNotRun, "aps.mutable-content")
    }
    for (visible, key) in visibleTexts(aps["alert"]) { find(visible, key) }
    for (key, visible) in members where aps[key] != nil { find(visible, "aps.\(key)") }
    // In a Live Activity the system needs this member.
    if aps["relevance-score"] != nil, aps["event"] == nil { find(.relevanceScore, "aps.relevance-score") }
    if let sound = aps["sound"], sound.string != Sound.default.name { find(.sound, "aps.sound") }
    for (key, _) in payload where key != "aps" && key != envelopeKey.text { find(.customKey, key) }
    return findings
  }

  private static let members: [(key: String, visible: Visible)] = [
    ("badge", .badge), ("thread-id", .thread), ("category", .category), ("target-content-id", .target),
    ("filter-criteria", .target), ("interruption-level", .interruptionLevel),
  ]

  private static func visibleTexts(_ alert: JSONValue?) -> [(Visible, String)] {
    if let text = alert?.string { return text == Placeholder.text ? [] : [(.text, "aps.alert")] }
    let alert = alert?.object ?? [:]
    var found: [(Visible, String)] = []
    if let body = alert["body"]?.string, body != Placeholder.text { found.append((.text, "aps.alert.body")) }
    if alert["subtitle"] != nil { found.append((.text, "aps.alert.subtitle")) }
    for key in ["title-loc-args", "subtitle-loc-args", "loc-args"] where alert[key] != nil {
      found.append((.arguments, "aps.alert.\(key)"))
    }
    return found
  }
}
