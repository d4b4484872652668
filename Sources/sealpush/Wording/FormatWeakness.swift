import PushCompat

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
