import PushCompat
import PushPayload
import PushReceiver

/// Why another system's envelope was not opened or not made, in the operator's words.
enum FormatFailure {
  /// What is wrong, and of a payload that was to be opened what helps.
  static func describe(
    _ error: EnvelopeFormatError, opening payload: JSONObject? = nil, as format: ForeignFormat? = nil
  ) -> ToolError {
    let status: ExitStatus = error == .unavailable ? .failed : .badData
    return ToolError(
      status, "\(error.code): \(explanation(of: error))", hint: remedy(for: error, payload, format))
  }

  /// A plaintext that makes the payload longer than APNs takes it.
  static func tooLarge(bytes: Int, limit: Int) -> ToolError {
    ToolError(
      .badData,
      "too-large: the payload would have \(bytes) bytes, \(bytes - limit) more than the \(limit) that APNs takes",
      hint: "shorten the plaintext")
  }

  /// How to open what was recognized.
  static func hint(_ found: ForeignEnvelope) -> String {
    "it looks like another system's: --format \(found.format)"
  }

  private static func explanation(of error: EnvelopeFormatError) -> String {
    switch error {
    case .absent: "the payload has no envelope of this format"
    case .malformed(let member): "the member '\(member)' is missing or does not have the format's form"
    case .tooLarge: "it is longer than any payload has room for"
    case .notAuthentic: "it does not open: it is under another key or password, or it was altered"
    case .wrongKey: "it names another key than the one in the file"
    case .unavailable: "the system's library has no such algorithm, or there is no memory left"
    }
  }

  private static func remedy(
    for error: EnvelopeFormatError, _ payload: JSONObject?, _ format: ForeignFormat?
  ) -> String? {
    guard let payload, let format else { return nil }
    if error == .notAuthentic {
      return switch format {
      case .openSSLSalted: "--derivation, --digest and --iterations must be the sealer's, too"
      case .bark: "--mode must be the sealer's, too"
      case .homeAssistant: "--key-rule must be the server's, too"
      default: nil
      }
    }
    guard error != .wrongKey, let found = ForeignEnvelope(payload) else { return nil }
    if found.format != format.name { return hint(found) }
    guard error == .absent, let member = found.members.first, !member.hasPrefix("-") else { return nil }
    switch format {
    case .webPush, .webPushDraft: return "--carriage \(member == "p" ? "z85" : "base64url")"
    default: return "there is one in another member: --member \(ShellWord.quoted(member))"
    }
  }
}

/// What another system's format lacks that this package's own has.
enum FormatWeakness: String {
  case authentication
  case authenticationOutsideGCM = "authentication-outside-gcm"
  case sender, replay, expiry
  case keyID = "key-id"

  /// As a sentence has it, after "lacks".
  var text: String {
    switch self {
    case .authentication: "authentication (whoever carries it can alter it)"
    case .authenticationOutsideGCM: "authentication (but in mode gcm)"
    case .sender: "a sender"
    case .replay: "protection from replay"
    case .expiry: "an expiry"
    case .keyID: "a key id"
    }
  }

  /// What a format lacks, by its name.
  static func all(of format: String) -> [FormatWeakness] {
    switch format {
    case OpenSSLSalted.name: [.authentication, .sender, .replay, .expiry, .keyID]
    case Bark.name: [.authenticationOutsideGCM, .sender, .replay, .expiry, .keyID]
    case Zulip.name: [.sender, .replay, .expiry]
    default: [.sender, .replay, .expiry, .keyID]
    }
  }
}
