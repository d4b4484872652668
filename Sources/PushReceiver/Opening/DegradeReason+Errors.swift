internal import PushCrypto
internal import PushEnvelope
internal import PushKeys

extension DegradeReason {
  init(_ error: EnvelopeError) {
    switch error {
    case .tooLarge: self = .tooLarge
    case .unsupportedVersion: self = .unsupportedVersion
    case .unsupportedSuite: self = .unsupportedSuite
    case .notBase64URL, .truncated, .badEncapsulatedKey: self = .malformedEnvelope
    }
  }

  init(_ error: KeyStoreError) {
    switch error {
    case .locked, .unavailable: self = .keyLocked
    }
  }

  /// What it means that a key did not open an envelope: it cannot be used now, the system does not have the suite's
  /// cipher, or, without detail, it does not fit.
  init(_ error: CryptoError) {
    switch error {
    case .keyLocked, .keyUnavailable: self = .keyLocked
    case .unavailable: self = .unsupportedSuite
    default: self = .notAuthentic
    }
  }
}
