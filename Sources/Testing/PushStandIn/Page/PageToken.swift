internal import PushCore
internal import PushCrypto
package import PushNetwork

/// The first part of every path of the page: 16 random bytes in base64url, which only the page's user knows.
package struct PageToken: Hashable, Sendable {
  /// The token's text, 22 characters.
  package let text: String

  /// Takes a token's text; nil if it is none.
  package init?(_ text: String) {
    guard (try? Base64URL.decode(text))?.count == 16 else { return nil }
    self.text = text
  }

  /// Makes a token.
  package static func random() -> PageToken {
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
    guard let token = PageToken(Base64URL.encode(bytes.span)) else {
      preconditionFailure("16 bytes are a token")
    }
    return token
  }

  /// The rest of a path that begins with the token.
  ///
  /// - Throws: `PlainRefusal.noToken`.
  package func path(in path: String) throws(PlainRefusal) -> String {
    let first = Array(path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") })
    guard ConstantTime.equal(first.span, Array(text.utf8).span) else { throw .noToken }
    return String(path.dropFirst(1 + text.count))
  }
}
