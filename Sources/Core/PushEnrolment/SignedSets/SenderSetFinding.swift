package import PushKeys
package import PushCore

/// A finding of an audit about the end of a signed set of senders.
///
/// The raw values are stable, for use in scripts.
package enum SenderSetFinding: String, Sendable, CaseIterable {
  /// The set ends within 90 days: there is time to sign a newer one, and for devices to get it.
  case endsSoon = "set-ends-soon"
  /// The set has ended: devices without a newer one refuse messages that are issued now.
  case ended = "set-ended"

  /// How serious the finding is.
  package var severity: KeyFinding.Severity { self == .ended ? .error : .warning }
}

extension SenderKeySet {
  /// How long before the end the audit warns, in seconds: 90 days.
  private static let notice: Int64 = 90 * 86_400

  /// Audits the end of the set at `now`; nil if it is far enough away.
  package func finding(at now: UnixTime) -> SenderSetFinding? {
    guard now <= expiresAt else { return .ended }
    return now.advanced(by: .seconds(Self.notice)) < expiresAt ? nil : .endsSoon
  }
}
