internal import PushCrypto
package import PushTesting

extension FixedRandomness {
  /// Bytes that follow from a label.
  package static func labelled(_ label: String) -> FixedRandomness {
    FixedRandomness(bytes: bytes(of: label))
  }

  /// SHA-256("sealed-push vectors: " | label), 32 bytes.
  package static func bytes(of label: String) -> [UInt8] {
    let text = Array("sealed-push vectors: \(label)".utf8)
    return SHA256.digest(text.span)
  }
}
