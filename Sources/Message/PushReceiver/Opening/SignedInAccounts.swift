public import PushCore

/// Which accounts are signed in on the device, as a receiver asks for each message.
///
/// A backend gives the app a tag in its answer to an enrolment. The app keeps the tag as long as the person is signed in,
/// and deletes it first when the person signs out: APNs may hold messages for that person for 30 days, and they must not
/// be shown to those who stay.
public protocol SignedInAccounts: Sendable {
  /// The tags of the accounts that are signed in now; nil if the app does not know, so that no message is refused.
  ///
  /// If it throws, a message that names an account is not shown.
  func tags() throws -> Set<AccountTag>?
}

extension Set: SignedInAccounts where Element == AccountTag {
  /// The set itself.
  public func tags() -> Set<AccountTag>? { self }
}
