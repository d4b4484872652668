public import PushCore

/// Finds what the sender of a payload for APNs, sealed or not, should review.
///
/// It reports every member, at any depth, that a sealed push of this type never shows, and every visible value that one
/// never has. The visible title is the sender's choice, and is not reported; nor is the body that the sender chose for all
/// messages.
public struct Lint: Sendable {
  /// One finding.
  public struct Finding: Equatable, Sendable {
    /// A stable code: the broken rule, a `PayloadWarning.Code`, what is visible, or ``tooLarge``.
    public let code: String
    /// The member's path, such as `aps.alert.body`; `payload` for the whole payload.
    public let key: String
    /// Whether the payload breaks a rule, so that APNs, the system or a receiver may reject the push.
    public let isFault: Bool
  }

  /// The code of a payload that is longer than APNs accepts, or of data that is longer than FCM accepts.
  public static let tooLarge = "too-large"

  /// The code of a name in the data of a message that FCM reserves, and does not accept.
  public static let reservedName = "reserved-name"

  /// What a payload leaks to Apple and to everyone else who handles it.
  package enum Visible: String, Sendable, CaseIterable {
    /// There is no envelope: everything can be read.
    case notSealed = "not-sealed"
    /// The envelope's member has a text that is not an envelope of this format, so the text may be readable.
    case notAnEnvelope = "not-an-envelope"
    /// A text that is not the placeholder's.
    case text = "visible-text"
    /// The key of a localized text.
    case localizationKey = "visible-loc-key"
    /// The arguments of a localized text.
    case arguments = "visible-loc-args"
    /// The name of the launch image.
    case launchImage = "visible-launch-image"
    /// The number on the app's icon.
    case badge = "visible-badge"
    /// The notification's sound.
    case sound = "visible-sound"
    /// The group of the notification, such as a conversation.
    case thread = "visible-thread-id"
    /// The kind of message.
    case category = "visible-category"
    /// How urgently the notification interrupts.
    case interruptionLevel = "visible-interruption-level"
    /// The notification's rank in the summary.
    case relevanceScore = "visible-relevance-score"
    /// The window or Focus filter that the notification is for.
    case target = "visible-target"
    /// The state of a Live Activity.
    case state = "visible-content-state"
    /// The attributes of a Live Activity.
    case attributes = "visible-attributes"
    /// One of the app's own members.
    case customKey = "visible-custom-key"
    /// Another member that no sealed push of this type shows.
    case member = "visible-member"
    /// A member that a sealed push shows, with a value that it never shows there.
    case value = "visible-value"
    /// A collapse ID (a header) other than the message ID.
    case collapseID = "visible-collapse-id"
    /// A notification of FCM's, which Android shows without the app.
    case notification = "visible-notification"
    /// An envelope that no extension will open, because `mutable-content` is missing.
    case extensionNotRun = "extension-not-run"
  }

  /// The findings, faults first.
  public let findings: [Finding]

  /// Checks a payload that goes to APNs as it is.
  ///
  /// `size` is the payload's length in bytes; if it is nil, the length of its JSON without white space counts. If
  /// `pushType` is nil, a payload whose `aps` has `event` or `content-state` is a Live Activity's. Any other payload
  /// may show what an alert or a background push shows, and may have 4096 bytes. `placeholderBody` is the body that the
  /// sender chose for all messages: any other visible body is reported.
  public init(
    _ payload: JSONObject, size: Int? = nil, pushType: PushType? = nil, envelopeKey: EnvelopeKey = .default,
    placeholderBody: String = SealingPolicy.standardBody
  ) {
    let size = size ?? payload.encoded().count
    let warnings = Self.warnings(in: payload)
    findings =
      Self.faults(in: payload) + Self.sizeFault(of: size, pushType: pushType) + warnings.map(Finding.init)
      + Self.leaks(
        in: payload, pushType: pushType, envelopeKey: envelopeKey, placeholderBody: placeholderBody)
  }

  /// Checks a payload that will be sealed, so nothing in it leaks.
  ///
  /// APNs does not see it, so no finding is a fault. Values that `userInfo` cannot hold are reported for an alert only:
  /// for the other types, an app opens the content itself, as JSON.
  public init(content payload: JSONObject, pushType: PushType = .alert) {
    let warnings = Self.warnings(in: payload).filter { warning in
      pushType.contentType == .notification || !warning.code.isAboutUserInfo
    }
    findings = (Self.faults(in: payload) + warnings.map(Finding.init)).map { finding in
      Finding(code: finding.code, key: finding.key, isFault: false)
    }
  }

  /// Checks a push that was sealed with a policy, including its headers.
  public init(_ push: SealedNotification, policy: SealingPolicy) {
    guard let payload = try? JSONObject(parsing: push.payload.span) else {
      preconditionFailure("a sealed payload is JSON")
    }
    // The app's `userInfo` comes from the sealed content.
    let warnings = Self.warnings(in: payload).filter { !$0.code.isAboutUserInfo }
    var findings =
      Self.faults(in: payload) + warnings.map(Finding.init)
      + Self.leaks(
        in: payload, pushType: policy.pushType, envelopeKey: policy.envelopeKey,
        placeholderBody: policy.placeholderBody)
    let sound = Finding(.sound, at: "aps.sound")
    // The visible sound is the content's own, so even silence or the default sound leaks something.
    if policy.pushType == .alert, policy.visible.contains(.sound), !findings.contains(sound) {
      findings.append(sound)
    }
    if push.headers.collapseID != nil { findings.append(Finding(.collapseID, at: "apns-collapse-id")) }
    self.findings = findings
  }

  /// Takes findings of another kind of message.
  init(findings: [Finding]) { self.findings = findings }

  private static func faults(in payload: JSONObject) -> [Finding] {
    do throws(PayloadError) {
      try RemoteNotification(payload: payload).checkForSending()
      return []
    } catch {
      guard case .invalid(let key, let rule) = error else { return [] }
      return [Finding(code: rule.rawValue, key: key, isFault: true)]
    }
  }

  private static func sizeFault(of size: Int, pushType: PushType?) -> [Finding] {
    let limit = pushType?.limit ?? .notification
    return size > limit.bytes ? [Finding(code: tooLarge, key: "payload", isFault: true)] : []
  }

  private static func warnings(in payload: JSONObject) -> [PayloadWarning] {
    (try? RemoteNotification(payload: payload))?.warnings ?? []
  }

  private static func leaks(
    in payload: JSONObject, pushType: PushType?, envelopeKey: EnvelopeKey, placeholderBody: String
  ) -> [Finding] {
    let aps = payload["aps"]?.object ?? [:]
    let isLiveActivity = aps["event"] != nil || aps["content-state"] != nil
    let pushType = pushType ?? (isLiveActivity ? .liveActivity : nil)
    let members = OuterMember.payload(of: pushType, envelopeKey: envelopeKey)
    return envelopeFindings(in: payload, pushType: pushType, envelopeKey: envelopeKey)
      + Exposure(of: payload, beside: members, placeholderBody: placeholderBody).leaks.map {
        Finding($0.visible, at: $0.key)
      }
  }

  /// Whether there is an envelope, and whether an extension opens it.
  private static func envelopeFindings(
    in payload: JSONObject, pushType: PushType?, envelopeKey: EnvelopeKey
  ) -> [Finding] {
    let aps = payload["aps"]?.object ?? [:]
    let isInside = pushType == .liveActivity
    let carrier = isInside ? aps["content-state"]?.object : payload
    let path = isInside ? "aps.content-state.\(envelopeKey.text)" : envelopeKey.text
    var findings: [Finding] = []
    switch carrier?[envelopeKey.text]?.string {
    case nil: findings.append(Finding(.notSealed, at: path))
    case let text?:
      if (try? Envelope(decoding: text)) == nil { findings.append(Finding(.notAnEnvelope, at: path)) }
    }
    let isShown = [nil, .alert].contains(pushType) && aps["alert"] != nil
    if isShown, payload[envelopeKey.text] != nil, aps["mutable-content"]?.number?.integer != 1 {
      findings.append(Finding(.extensionNotRun, at: "aps.mutable-content"))
    }
    return findings
  }
}

extension Lint.Finding {
  fileprivate init(_ warning: PayloadWarning) {
    self.init(code: warning.code.rawValue, key: warning.key, isFault: false)
  }

  init(_ visible: Lint.Visible, at key: String) {
    self.init(code: visible.rawValue, key: key, isFault: false)
  }
}
