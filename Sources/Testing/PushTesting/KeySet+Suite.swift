package import PushCore
package import PushKeys

/// The same calls for every suite, for tests that run with each suite.
extension KeySet {
  /// Makes a set with one new active key for `suite`: a device's key or a shared one.
  ///
  /// The suite must be available.
  package init(opening suite: Suite, at now: UnixTime) {
    guard let set = try? KeySet(generating: KeyAlgorithm(suite: suite).role, suite: suite, at: now) else {
      preconditionFailure("\(suite.name) is not available")
    }
    self = set
  }

  /// The recipient whose messages this set opens.
  package func recipient(suite: Suite, at now: UnixTime) throws(KeySetError) -> Recipient {
    role == .shared ? try recipient(at: now) : try publicKeys.recipient(suite: suite, at: now)
  }
}
