/// Why a diagnostics log cannot be read.
public enum DiagnosticsLogError: Error, Equatable, Sendable {
  /// There is no such file: nothing was noted yet, or not there.
  case missing
  /// It is no log, or a damaged one, which the next note begins anew.
  case damaged
  /// It is of a later version.
  case laterVersion
  /// The system does not permit it.
  case notPermitted
  /// It cannot be read for another reason.
  case unavailable
}
