package import PushEnvelope
package import PushKeys

/// Any suite's keys in the same words, for tests that go through all suites.
extension KeySet {
  /// Makes a set of one new active key that opens `suite`: a device's, or a shared one.
  package init(opening suite: Suite, at now: UnixTime) {
    self.init(generating: KeyAlgorithm(suite: suite).role, suite: suite, at: now)
  }

  /// Whom to seal for, so that this set opens it.
  package func recipient(suite: Suite, at now: UnixTime) throws(KeySetError) -> Recipient {
    role == .shared ? try recipient(at: now) : try publicKeys.recipient(suite: suite, at: now)
  }
}
