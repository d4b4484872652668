import PushCore

/// Base64url of texts.
enum Base64URLText {
  static func encode(_ text: String) -> String {
    let bytes = Array(text.utf8)
    return Base64URL.encode(bytes.span)
  }

  /// The text; empty of what is no base64url.
  static func decode(_ part: String) -> String {
    String(decoding: (try? Base64URL.decode(part)) ?? [], as: UTF8.self)
  }
}
