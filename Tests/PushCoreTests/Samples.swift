import Foundation
import PushCore

/// Values that the tests of this target share.
enum Sample {
  static let messageID = MessageID(Array(0x10...0x1f))!
  static let claims = claims(issuedAt: 1_700_000_000, lifetime: 3600)
  static let thumbprint = Thumbprint(Array(0x00...0x1f))!
  static let signer = Thumbprint(Array(0xa0...0xbf))!
  static let signature = SealedContent.Signature(keyID: signer.keyID, bytes: Array(0x40...0x7f))!

  static func claims(issuedAt: Int64, lifetime: Int64) -> Claims {
    Claims(
      messageID: messageID, issuedAt: UnixTime(seconds: issuedAt)!, lifetime: Lifetime(seconds: lifetime)!)
  }

  static func content(
    _ bytes: [UInt8] = Array("{}".utf8), type: ContentType = .notification, claims: Claims = claims,
    isSigned: Bool
  ) -> SealedContent {
    let content = SealedContent(type: type, claims: claims, content: bytes)
    return isSigned ? content.signed(by: signature) : content
  }

  static func envelope(_ suite: Suite, ciphertextSize: Int = 40) throws -> Envelope {
    try Envelope(
      suite: suite, keyID: thumbprint.keyID, encapsulatedKey: encapsulatedKey(suite),
      ciphertext: (0..<ciphertextSize).map { UInt8(truncatingIfNeeded: 7 * $0) })
  }

  static func encapsulatedKey(_ suite: Suite) -> [UInt8] {
    [0x04] + [UInt8](repeating: 0x5a, count: suite.encapsulatedKeySize - 1)
  }
}

func base64URL(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes.span) }

func decode(_ plaintext: [UInt8]) throws(SealedContentError) -> SealedContent {
  try SealedContent(decoding: plaintext.span)
}

func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
