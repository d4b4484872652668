internal import PushCrypto

extension EnvelopeFormatError {
  /// What an opening that failed comes to.
  init(opening error: CryptoError) {
    self = error == .unavailable ? .unavailable : .notAuthentic
  }
}
