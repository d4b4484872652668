internal import PushCrypto
internal import PushEnvelope

extension Thumbprint {
  /// The name of a shared key, which says nothing of it (FORMAT.md, section 3).
  ///
  /// T = HKDF-SHA256(salt: none, K, "sealed-push v1 shared id", 32).
  init(sharedKey: Span<UInt8>) {
    let info = Array("sealed-push v1 shared id".utf8)
    let bytes = SharedKey.derive(Self.size, from: sharedKey, salt: Span(), info: info.span)
    guard let thumbprint = Thumbprint([UInt8](copying: bytes.exposedBytes)) else {
      preconditionFailure("a thumbprint has \(Self.size) bytes")
    }
    self = thumbprint
  }
}
