import PushCompat
import PushCore

/// The options of other systems' envelopes.
extension Option {
  /// What opening takes beside `--format`.
  static let formatOpening = formatSealing + ofOpening.map { $0.with("--format") }

  /// What sealing takes beside `--format`.
  static let formatSealing = ofBoth.map { $0.with("--format") }

  /// The names of the options that not every format has.
  static let ofFormats = formatOpening.map(\.name).filter { $0 != "--secret" }

  /// What asks for another system's format; `summary` says what is done with it.
  static func format(_ summary: String) -> Option { .optional("--format", value: "NAME", summary) }

  private static let ofBoth: [Option] = [
    .required(
      "--secret", value: "FILE", "the key or password, in a file that nobody else can read", file: .input),
    .flag("--unauthenticated", "for openssl-salted and bark: accept that messages can be altered in transit"),
    .optional(
      "--member", value: "KEY", "of openssl-salted (default: ENCRYPTED_DATA), sodium-sealed-box (sealed_box)"),
    .optional(
      "--derivation", value: "KIND", "of openssl-salted: pbkdf2 (default), or bytes-to-key, without -pbkdf2"),
    .optional("--digest", value: "NAME", "of openssl-salted: sha256 (default), sha512, sha1 or md5, as -md"),
    .optional("--iterations", value: "N", "of openssl-salted: 1 to 1000000, as -iter; default: 10000"),
    .optional("--carriage", value: "KIND", "of webpush: z85 (default), in the member p, or base64url, in m"),
  ]

  private static let ofOpening: [Option] = [
    .optional("--mode", value: "MODE", "of bark: cbc (default), gcm or ecb"),
    .optional("--iv", value: "TEXT", "of bark: the vector kept in the app, for payloads without one"),
    .optional(
      "--key-rule", value: "RULE", "of home-assistant: hexadecimal (default); truncated, before 2022.3"),
  ]
}

/// The values of other systems' options as types.
extension Arguments {
  /// The member that carries the envelope; nil for the format's own.
  func member() throws(ToolError) -> EnvelopeKey? {
    guard let text = self["--member"] else { return nil }
    guard let key = try? EnvelopeKey(text) else { throw .usage("--member cannot be '\(text)'") }
    return key
  }

  /// How a password becomes a key.
  func derivation() throws(ToolError) -> OpenSSLSalted.Derivation {
    guard let digest = OpenSSLSalted.Digest(rawValue: self["--digest"] ?? "sha256") else {
      throw .usage("--digest is sha256, sha512, sha1 or md5")
    }
    switch self["--derivation"] {
    case nil, "pbkdf2":
      let count = TimeSpan.number(in: (self["--iterations"] ?? "10000")[...]).flatMap(Int.init(exactly:))
      guard let count, OpenSSLSalted.Derivation.pbkdf2(iterations: count) != nil else {
        throw .usage("--iterations is 1 to 1000000")
      }
      guard let derivation = OpenSSLSalted.Derivation.pbkdf2(iterations: count, digest: digest) else {
        throw ToolError(.failed, "this system has no PBKDF2 with MD5")
      }
      return derivation
    case "bytes-to-key":
      guard self["--iterations"] == nil else { throw .usage("bytes-to-key takes no --iterations") }
      return .bytesToKey(digest: digest)
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
