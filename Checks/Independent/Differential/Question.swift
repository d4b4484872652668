/// A question: its kind, and named bytes in hexadecimal.
struct Question: Decodable {
  /// The operation on the bytes.
  enum Kind: String, Decodable {
    case json
    case jsonSkipped = "json-skipped"
    case base64URLEncode = "base64url-encode"
    case base64URLAppend = "base64url-append"
    case base64URLDecode = "base64url-decode"
    case base64URLBytewise = "base64url-bytewise"
    case aeadSeal = "aead-seal"
    case aeadOpen = "aead-open"
    case hpkeSeal = "hpke-seal"
    case hpkeOpen = "hpke-open"
    case thumbprints
  }

  let kind: Kind

  /// The name of the algorithm or suite, for kinds that have several.
  let name: String?

  private let bytes: [String: String]

  /// The bytes with a name; empty if there are none.
  subscript(name: String) -> [UInt8] {
    let digits = (bytes[name] ?? "").utf8.map { Character(Unicode.Scalar($0)).hexDigitValue }
    return stride(from: 0, to: digits.count, by: 2).map { index in
      guard let high = digits[index], index + 1 < digits.count, let low = digits[index + 1] else {
        preconditionFailure("a question's bytes are hexadecimal")
      }
      return UInt8(16 * high + low)
    }
  }
}
