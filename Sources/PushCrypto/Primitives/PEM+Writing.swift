/// What stands around a key's bytes is the same DER for all keys of a kind.
extension PEM {
  /// A private key in PKCS#8 (RFC 5958), without a password, in an array that the caller wipes.
  ///
  /// `publicKey` is the private key's own; both were checked when the pair was made.
  package static func privateKey(
    _ privateKey: Span<UInt8>, _ publicKey: Span<UInt8>, _ kind: Kind
  ) -> [UInt8] {
    var contents: [UInt8]
    switch kind {
    case .x25519, .ed25519:
      // version 0, the algorithm, and an octet string in an octet string (RFC 8410, 7)
      let head: [UInt8] = [0x30, 0x2e, 0x02, 0x01, 0x00] + kind.algorithm + [0x04, 0x22, 0x04, 0x20]
      contents = [UInt8](concatenating: head.span, privateKey)
    case .p256:
      // version 0, the algorithm, and an ECPrivateKey (RFC 5915) of version 1, with the point in a bit string
      let head: [UInt8] =
        [0x30, 0x81, 0x87, 0x02, 0x01, 0x00] + kind.algorithm
        + [0x04, 0x6d, 0x30, 0x6b, 0x02, 0x01, 0x01, 0x04, 0x20]
      let point = [UInt8](concatenating: [0xa1, 0x44, 0x03, 0x42, 0x00].span, publicKey)
      contents = [UInt8](concatenating: head.span, privateKey, point.span)
    }
    defer { contents.wipe() }
    return text(contents.span, "PRIVATE KEY")
  }

  /// A public key as a SubjectPublicKeyInfo (RFC 5280, 4.1).
  package static func publicKey(_ publicKey: Span<UInt8>, _ kind: Kind) -> [UInt8] {
    let size = UInt8(kind.algorithm.count + 3 + publicKey.count)
    // the algorithm, and a bit string without unused bits
    let head: [UInt8] = [0x30, size] + kind.algorithm + [0x03, UInt8(publicKey.count + 1), 0x00]
    let contents = [UInt8](concatenating: head.span, publicKey)
    return text(contents.span, "PUBLIC KEY")
  }

  /// A block (RFC 7468), 64 characters a line.
  private static func text(_ contents: Span<UInt8>, _ label: String) -> [UInt8] {
    let width = 64
    var base64 = Backend.Base64.encode(contents)
    defer { base64.wipe() }
    let (begin, end) = ("-----BEGIN \(label)-----\n", "-----END \(label)-----\n")
    var text: [UInt8] = []
    text.reserveCapacity(begin.utf8.count + base64.count + base64.count / width + 1 + end.utf8.count)
    text += begin.utf8
    for start in stride(from: 0, to: base64.count, by: width) {
      text += base64[start..<min(start + width, base64.count)]
      text.append(UInt8(ascii: "\n"))
    }
    text += end.utf8
    return text
  }
}

extension PEM.Kind {
  /// The AlgorithmIdentifier (RFC 8410, 3; RFC 5480, 2.1.1) in DER.
  var algorithm: [UInt8] {
    switch self {
    case .x25519: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x6e]
    case .ed25519: [0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70]
    case .p256:
      [0x30, 0x13, 0x06, 0x07, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01]
        + [0x06, 0x08, 0x2a, 0x86, 0x48, 0xce, 0x3d, 0x03, 0x01, 0x07]
    }
  }
}
