public import PushCore

extension Lint {
  /// Checks a message that goes to FCM as it is: the body of a request, its member `message`, or the `data` alone.
  ///
  /// It reports every member that a sealed message never has, such as a `notification`, which Android shows without the
  /// app, and data that FCM does not accept: longer than 4096 bytes of names and values, or with a value that is no string.
  public init(ofFCM message: JSONObject, envelopeKey: EnvelopeKey = .default) {
    let payload = FCMPayload(message)
    self.init(
      findings: Self.faults(in: payload) + Self.envelopeFindings(in: payload, under: envelopeKey)
        + Self.exposed(by: payload, beside: envelopeKey))
  }

  /// Checks a message that was sealed for FCM.
  public init(_ message: SealedDataMessage) {
    self.init(
      findings: message.delivery.collapseKey == nil ? [] : [Finding(.collapseID, at: "android.collapse_key")])
  }

  /// What FCM refuses.
  private static func faults(in payload: FCMPayload) -> [Finding] {
    var faults: [Finding] = []
    for (name, value) in payload.data where value.string == nil {
      faults.append(
        Finding(code: PayloadRule.mustBeString.rawValue, key: "data.\(name)", isFault: true))
    }
    for name in payload.data.keys where isReserved(name) {
      faults.append(Finding(code: reservedName, key: "data.\(name)", isFault: true))
    }
    if payload.size > PayloadLimit.notification.bytes {
      faults.append(Finding(code: tooLarge, key: "data", isFault: true))
    }
    return faults
  }

  /// Whether FCM keeps a name of `data` for itself (Google, "REST Resource: projects.messages").
  private static func isReserved(_ name: String) -> Bool {
    ["from", "message_type"].contains(name) || name.hasPrefix("google.") || name.hasPrefix("gcm.")
  }

  /// Whether there is an envelope.
  private static func envelopeFindings(in payload: FCMPayload, under envelopeKey: EnvelopeKey) -> [Finding] {
    let path = "data.\(envelopeKey.text)"
    guard let text = payload.data[envelopeKey.text]?.string else { return [Finding(.notSealed, at: path)] }
    return (try? Envelope(decoding: text)) == nil ? [Finding(.notAnEnvelope, at: path)] : []
  }

  /// The members that no sealed message has.
  private static func exposed(by payload: FCMPayload, beside envelopeKey: EnvelopeKey) -> [Finding] {
    var findings = payload.data.keys.filter { $0 != envelopeKey.text }.map {
      Finding(.customKey, at: "data.\($0)")
    }
    for (name, value) in payload.message ?? [:] where !["token", "topic", "condition"].contains(name) {
      if name == "android", let android = value.object {
        findings += android.keys.compactMap { member in
          visible(inAndroid: member).map { Finding($0, at: "android.\(member)") }
        }
      } else {
        findings.append(Finding(name == "notification" ? .notification : .member, at: name))
      }
    }
    return findings
  }

  /// What a member of `android` shows; nil if it says only how the message is delivered.
  private static func visible(inAndroid member: String) -> Visible? {
    switch member {
    case "priority", "ttl", "restricted_package_name", "direct_boot_ok": nil
    case "collapse_key": .collapseID
    case "notification": .notification
    default: .member
    }
  }
}
