package import PushFiles

/// Why a file that the receiver and the app share cannot be read or changed: a log, counts, accounts, or the envelopes that
/// it kept.
public enum ReceiverFileError: Error, Equatable, Sendable {
  /// There is no such file, or no such folder: nothing was written yet, or the file is elsewhere.
  case missing
  /// The file is damaged, or another kind of file; the receiver replaces it the next time it writes.
  case damaged
  /// A newer version of this library wrote the file.
  case laterVersion
  /// The system does not permit it.
  case notPermitted
  /// It is impossible for another reason.
  case unavailable

  package init(_ error: FileError) {
    switch error {
    case .missing: self = .missing
    case .notPermitted: self = .notPermitted
    case .tooLarge: self = .damaged
    default: self = .unavailable
    }
  }
}

extension ReceiverFileError: CustomStringConvertible {
  /// What is wrong.
  public var description: String {
    switch self {
    case .missing: "the receiver's file does not exist: nothing was written yet, or the file is elsewhere"
    case .damaged: "the receiver's file is damaged, or another kind of file; the receiver replaces it"
    case .laterVersion: "the receiver's file was written by a newer version"
    case .notPermitted: "the receiver's file cannot be read or changed: not permitted"
    case .unavailable: "the receiver's file cannot be read or changed"
    }
  }
}
