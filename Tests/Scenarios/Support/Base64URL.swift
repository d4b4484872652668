import Foundation

extension Data {
  /// The bytes that base64url without padding says; none if it says none.
  init(base64URL text: String) {
    let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    let base64 = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    self = Data(base64Encoded: base64 + padding) ?? Data()
  }

  /// The bytes as base64url without padding.
  var base64URL: String {
    base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }
}

extension String {
  /// The text of the envelope in a sealed payload.
  var envelopeText: String {
    components(separatedBy: #""ENCRYPTED_DATA":""#).last?.components(separatedBy: "\"").first ?? ""
  }
}
