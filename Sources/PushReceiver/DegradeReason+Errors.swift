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
    case .locked: self = .keyLocked
    }
  }
}
