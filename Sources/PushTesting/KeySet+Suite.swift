package import PushEnvelope
package import PushKeys

/// The same calls for every suite, for tests that go through all suites.
extension KeySet {
  /// Makes a set with one new active key for `suite`: a device's key or a shared one.
  package init(opening suite: Suite, at now: UnixTime) {
    self.init(generating: KeyAlgorithm(suite: suite).role, suite: suite, at: now)
  }

  /// The recipient whose messages this set opens.
  package func recipient(suite: Suite, at now: UnixTime) throws(KeySetError) -> Recipient {
    role == .shared ? try recipient(at: now) : try publicKeys.recipient(suite: suite, at: now)
  }
}
