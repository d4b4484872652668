private import Foundation

/// How much of the work that only adds volume a run does: a sample in `Scripts/test`, all of it in
/// `Scripts/check volume`.
public enum Volume {
  /// Whether everything is tried.
  public static let isWhole = ProcessInfo.processInfo.environment["SEALEDPUSH_VOLUME"] == "whole"
}
