package import PushEnvelope
package import PushKeys

/// Any suite's keys in the same words, for tests that go through all suites.
extension KeySet {
  /// Makes a set of one new active key that opens `suite`: a device's, or a shared one.
  package init(opening suite: Suite, at now: UnixTime) {
    switch suite {
    case .x25519ChaChaPoly, .p256AESGCM: self.init(generating: .device, suite: suite, at: now)
    case .sharedChaChaPoly: self.init(generating: .shared, at: now)
    }
  }

  /// Whom to seal for, so that this set opens it.
  package func recipient(suite: Suite, at now: UnixTime) throws(KeySetError) -> Recipient {
    role == .shared ? try recipient(at: now) : try publicKeys.recipient(suite: suite, at: now)
  }
}
