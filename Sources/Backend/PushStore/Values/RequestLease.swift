public import PushCore
internal import PushKeys

/// The right to push a proof request until the lease ends.
public struct RequestLease: Hashable, Sendable {
  /// The name of the registration that is asked.
  public let registration: String

  /// Where its enrolment wants to be asked.
  public let address: DeviceAddress

  /// Whether the registration holds the token, and does not only claim it.
  ///
  /// If not, let APNs keep nothing (`apns-expiration` 0): it keeps one push for an app that it does not reach, and a
  /// stranger's must not displace the owner's.
  public let isHolder: Bool

  /// The column `mark`: a number that changes with each lease and each enrolment.
  package let mark: Int64

  /// How many answers the token has had.
  package let answers: Int64

  package init(registration: String, address: DeviceAddress, isHolder: Bool, mark: Int64, answers: Int64) {
    self.registration = registration
    self.address = address
    self.isHolder = isHolder
    self.mark = mark
    self.answers = answers
  }
}

/// What was leased.
public struct LeasedRequests: Sendable {
  /// The requests to push.
  public let leases: [RequestLease]

  /// Whether no more requests are due.
  public let isComplete: Bool

  package init(leases: [RequestLease], isComplete: Bool) {
    (self.leases, self.isComplete) = (leases, isComplete)
  }
}

/// How a proof request has ended.
public enum RequestEnding: Sendable {
  /// APNs has accepted it, or refuses it for good, or nothing is to be asked any more.
  case done
  /// APNs no longer accepts the token (status 410): it is dead, unless a device has answered since it was leased.
  case gone
}

/// Keeps names and tokens out of logs.
extension RequestLease: CustomStringConvertible, CustomReflectable {
  /// Whose request it is: the holder's, or another's.
  public var description: String { isHolder ? "the holder's proof request" : "another's proof request" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
