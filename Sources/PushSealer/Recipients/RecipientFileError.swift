public import PushKeys
public import PushPayload

/// Why a file of enrolments cannot be used.
public enum RecipientFileError: Error, Equatable, Sendable {
  /// The system refuses to open or to read it.
  case unreadable(errno: Int32)

  /// A line is wrong; the first one is 1.
  case line(Int, Fault)

  /// What is wrong with a line.
  public enum Fault: Error, Equatable, Sendable {
    /// It is longer than 64 KiB.
    case tooLong
    /// It is not a JSON object.
    case json(JSONError)
    /// Its `v` is not 1: a newer program wrote it.
    case unsupportedVersion
    /// A member is missing, or is not what it must be.
    case invalidMember(String)
    /// It has a member that no enrolment has; a name of more than 20 bytes is given as "…".
    case unknownMember(String)
    /// Its `keys` cannot be used.
    case keys(KeySetError)
    /// It is a registration where the lines before are none, or the reverse.
    case mixed
    /// It is a registration that is not good.
    case registration(SignedSetError)
    /// Its registration's name is in an earlier line too.
    case duplicateName(firstLine: Int)
    /// Its token is in an earlier line too.
    case duplicateToken(firstLine: Int)
    /// One of its keys is in an earlier line too.
    case duplicateKey(firstLine: Int)
  }
}
