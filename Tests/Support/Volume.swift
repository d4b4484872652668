private import Foundation

/// How much of what is only volume a run has: a part in Scripts/test, all of it in the long check.
public enum Volume {
  /// Whether everything is tried.
  public static let isWhole = ProcessInfo.processInfo.environment["SEALEDPUSH_VOLUME"] == "whole"
}
