import PushCompat
import PushPayload

/// The values of other systems' options as types.
extension Arguments {
  /// The member that carries the envelope; null for the format's own.
  func member() throws(ToolError) -> EnvelopeKey? {
    guard let text = self["--member"] else { return nil }
    guard let key = EnvelopeKey(text) else { throw .usage("--member cannot be '\(text)'") }
    return key
  }

  /// How a password becomes a key.
  func derivation() throws(ToolError) -> OpenSSLSalted.Derivation {
    guard let digest = OpenSSLSalted.Digest(rawValue: self["--digest"] ?? "sha256") else {
      throw .usage("--digest is sha256, sha512, sha1 or md5")
    }
    switch self["--derivation"] {
    case nil, "pbkdf2":
      let count = TimeSpan.number((self["--iterations"] ?? "10000")[...]).flatMap(Int.init(exactly:))
      guard let count, let derivation = OpenSSLSalted.Derivation.pbkdf2(iterations: count, digest: digest)
      else {
        throw .usage("--iterations is 1 to 1000000")
      }
      return derivation
    case "bytes-to-key":
      guard self["--iterations"] == nil else { throw .usage("bytes-to-key has no --iterations") }
      return .bytesToKey(digest)
    default: throw .usage("--derivation is pbkdf2 or bytes-to-key")
    }
  }

  /// How a relay writes a message into a payload.
  func carriage() throws(ToolError) -> WebPushCarriage {
    switch self["--carriage"] {
    case nil, "z85": return .z85
    case "base64url": return .base64URL
    default: throw .usage("--carriage is z85 or base64url")
    }
  }
}
