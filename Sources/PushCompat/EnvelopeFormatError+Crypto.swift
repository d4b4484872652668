internal import PushCrypto
internal import PushReceiver

extension EnvelopeFormatError {
  init(_ error: CryptoError) {
    self =
      switch error {
      case .notAuthentic, .invalidPublicKey, .invalidPrivateKey, .messageLimitReached: .notAuthentic
      case .unavailable, .keyLocked, .keyUnavailable: .unavailable
      }
  }
}
