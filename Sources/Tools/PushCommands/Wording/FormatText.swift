import PushCompat
import PushCore
import PushReceiver

/// Why another system's envelope was not opened or not made, as a message.
enum FormatFailure {
  /// The error, with what helps if a payload was to be opened.
  static func describe(
    _ error: EnvelopeFormatError, opening payload: JSONObject? = nil, as format: ForeignFormat? = nil
  ) -> ToolError {
    if error == .unavailable {
      return ToolError(.failed, "\(error.code): \(LackingLibrary.text ?? error.reason)")
    }
    return ToolError(.badData, "\(error)", hint: remedy(for: error, opening: payload, as: format))
  }

  /// The error for a plaintext with which the payload is longer than APNs accepts.
  static func tooLarge(bytes: Int, limit: Int) -> ToolError {
    ToolError(
      .badData,
      "too-large: the payload would have \(bytes) bytes, \(bytes - limit) more than the \(limit) that APNs allows",
      hint: "shorten the plaintext")
  }

  /// How to open an envelope that was recognized.
  static func hint(for found: ForeignEnvelope) -> String {
    "it looks like another system's envelope: --format \(found.format)"
  }

  /// The error for an envelope whose bytes are in the payload as characters, and what to write instead.
  static let rawEncoding =
    "raw bytes, as in Apple's sample code. JSON is text and cannot carry them: send base64, "
    + "as openssl enc -a -A writes it. That is what arrives, and it begins with U2FsdGVkX1"

  private static func remedy(
    for error: EnvelopeFormatError, opening payload: JSONObject?, as format: ForeignFormat?
  ) -> String? {
    guard let payload, let format else { return nil }
    if error == .notAuthentic {
      return switch format {
      case .openSSLSalted: "--derivation, --digest and --iterations must match the sealer's"
      case .bark: "--mode must match the sealer's"
      case .homeAssistant: "--key-rule must match the server's"
      default: nil
      }
    }
    guard error != .wrongKey, let found = ForeignEnvelope(in: payload) else { return nil }
    if found.format != format.name { return hint(for: found) }
    if found.isRaw { return "the envelope is written as \(rawEncoding)" }
    guard error == .absent, let member = found.members.first, !member.hasPrefix("-") else { return nil }
    switch format {
    case .webPush, .webPushDraft: return "--carriage \(member == "p" ? "z85" : "base64url")"
    default: return "there is an envelope in another member: --member \(ShellWord.quoted(member))"
    }
  }
}

extension ForeignEnvelope {
  /// Whether the envelope's bytes are in the payload as characters, so that no app can open it.
  var isRaw: Bool { details["encoding"] == "raw" }
}

/// What another system's format lacks and this package's own format has.
enum FormatWeakness: String {
  case authentication
  case authenticationOutsideGCM = "authentication-outside-gcm"
  case sender, replay, expiry
  case keyID = "key-id"

  /// The words for a sentence, after "lacks".
  var text: String {
    switch self {
    case .authentication: "authentication (it can be altered in transit)"
    case .authenticationOutsideGCM: "authentication (except in mode gcm)"
    case .sender: "a sender"
    case .replay: "protection from replay"
    case .expiry: "an expiry"
    case .keyID: "a key ID"
    }
  }

  /// What the format of that name lacks.
  static func all(of format: String) -> [FormatWeakness] {
    switch format {
    case OpenSSLSalted.name: [.authentication, .sender, .replay, .expiry, .keyID]
    case Bark.name: [.authenticationOutsideGCM, .sender, .replay, .expiry, .keyID]
    case Zulip.name: [.sender, .replay, .expiry]
    default: [.sender, .replay, .expiry, .keyID]
    }
  }
}
