import PushCompat
import PushCore

/// The options of other systems' envelopes.
extension Parameter {
  /// The options of opening that need `--format`.
  static let formatOpening = formatSealing + ofOpening.map { $0.with(.format) }

  /// The options of sealing that need `--format`.
  static let formatSealing = ofBoth.map { $0.with(.format) }

  /// The names of the options that only some formats have.
  static let ofFormats = formatOpening.map(\.name).filter { $0 != Option.secret.name }

  private static let ofBoth: [Parameter] = [
    .required(.secret, "the key or password, in a file that nobody else can read"),
    .flag(.unauthenticated, "for openssl-salted and bark: accept that messages can be altered in transit"),
    .optional(
      .member, "member for openssl-salted (default: ENCRYPTED_DATA) or sodium-sealed-box (sealed_box)"),
    .optional(
      .derivation, "for openssl-salted: pbkdf2 (default), or bytes-to-key, as openssl does without -pbkdf2"),
    .optional(.digest, "for openssl-salted: sha256 (default), sha512, sha1 or md5, as openssl's -md"),
    .optional(.iterations, "for openssl-salted: 1 to 1000000, as openssl's -iter; default: 10000"),
    .optional(.carriage, "for the webpush formats: z85 (default), in the member p, or base64url, in m"),
  ]

  private static let ofOpening: [Parameter] = [
    .optional(.mode, "for bark: cbc (default), gcm or ecb"),
    .optional(
      .initializationVector, "for bark: the initialization vector set in the app, for payloads without one"),
    .optional(.keyRule, "for home-assistant: hexadecimal (default), or truncated, for servers before 2022.3"),
  ]
}

extension Option<String> {
  /// The name of another system's format.
  static var format: Self { Self("--format", "NAME") }
  static var secret: Self { Self("--secret", "FILE", file: .input) }
  static var initializationVector: Self { Self("--iv", "TEXT") }
}

extension Flag {
  static let unauthenticated = Flag("--unauthenticated")
}

extension Option<EnvelopeKey> {
  /// The payload member that carries the envelope; by default the format's own.
  static var member: Self { .member("--member", "KEY") }
}

/// How a password becomes a key, as `openssl enc` does it.
enum PasswordDerivation: String, CaseIterable {
  case pbkdf2
  case bytesToKey = "bytes-to-key"
}

extension Option<PasswordDerivation> {
  static var derivation: Self { Self("--derivation", "KIND", rule: "pbkdf2 or bytes-to-key") }
}

extension Option<OpenSSLSalted.Digest> {
  static var digest: Self { Self("--digest", "NAME", rule: "sha256, sha512, sha1 or md5") }
}

extension Option<Int> {
  static var iterations: Self {
    Self("--iterations", "N", rule: "1 to 1000000") { text in
      let count = TimeSpan.number(in: text[...]).flatMap(Int.init(exactly:))
      return count.flatMap { OpenSSLSalted.Derivation.pbkdf2(iterations: $0) == nil ? nil : $0 }
    }
  }
}

extension Option<WebPushCarriage> {
  /// How a relay writes a message into a payload.
  static var carriage: Self {
    Self("--carriage", "KIND", rule: "z85 or base64url", choices: ["z85", "base64url"]) { text in
      ["z85": .z85, "base64url": .base64URL][text]
    }
  }
}

extension Option<BarkMode> {
  static var mode: Self { Self("--mode", "MODE", rule: "cbc, gcm or ecb") }
}

/// How a webhook's secret becomes a key of Home Assistant's.
enum HomeAssistantKeyRule: String, CaseIterable {
  case hexadecimal, truncated
}

extension Option<HomeAssistantKeyRule> {
  static var keyRule: Self { Self("--key-rule", "RULE", rule: "hexadecimal or truncated") }
}

extension Arguments {
  /// How a password becomes a key.
  func derivation() throws(ToolError) -> OpenSSLSalted.Derivation {
    let digest = try self[.digest] ?? .sha256
    switch try self[.derivation] ?? .pbkdf2 {
    case .pbkdf2:
      guard
        let derivation = OpenSSLSalted.Derivation.pbkdf2(
          iterations: try self[.iterations] ?? 10_000, digest: digest)
      else {
        throw ToolError(.failed, "this system has no PBKDF2 with MD5")
      }
      return derivation
    case .bytesToKey:
      guard !isGiven(.iterations) else {
        throw .usage("bytes-to-key takes no \(Option.iterations)")
      }
      return .bytesToKey(digest: digest)
    }
  }
}
