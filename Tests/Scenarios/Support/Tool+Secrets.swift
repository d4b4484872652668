import Foundation
import Testing

extension Tool {
  /// The first private key of a file, in base64url.
  func secret(of name: String) throws -> String {
    struct Keys: Decodable {
      struct Key: Decodable { let d: String }
      let keys: [Key]
    }
    let keys = try JSONDecoder().decode(Keys.self, from: Data(contents(name))).keys
    return try #require(keys.first).d
  }
}

/// The ways in which a private key may be written.
struct Canary {
  let forms: [String]

  init(_ secret: String) {
    let bytes = Data(base64URL: secret)
    let hex = bytes.map { String(format: "%02x", $0) }.joined()
    let unpadded = bytes.base64EncodedString().replacingOccurrences(of: "=", with: "")
    let numbers = bytes.prefix(8).map(String.init).joined(separator: ", ")
    forms = [secret, hex, hex.uppercased(), unpadded, numbers]
  }

  /// Whether bytes hold the key, in any form or as it is.
  func isIn(_ bytes: [UInt8]) -> Bool {
    let data = Data(bytes)
    return (forms.map { Data($0.utf8) } + [Data(base64URL: forms[0])]).contains { data.range(of: $0) != nil }
  }
}
