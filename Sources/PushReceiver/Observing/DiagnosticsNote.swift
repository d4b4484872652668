/// What a diagnostics log notes besides pushes that were not opened, and steps.
///
/// The raw values are stable.
public enum DiagnosticsNote: String, Sendable, CaseIterable {
  /// A push was opened, and the replay store could not say whether it was before.
  case replayNotChecked = "replay-not-checked"
  /// A push was not opened because a key could not be read, and waiting for an unlocked phone does not mend it.
  case keysUnavailable = "keys-unavailable"
  /// The log was damaged, and what it held is lost.
  case logBegunAnew = "log-begun-anew"
}
