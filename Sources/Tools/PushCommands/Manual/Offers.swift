import PushCompat
import PushCore
import PushSealer

/// What a shell can offer for a value.
enum Offer: Equatable {
  case files
  case folders
  /// One of a few words.
  case words([String])
  /// Nothing: only the user knows the value.
  case nothing
}

extension Option {
  /// What a shell can offer for the option's value, or for the operand, of a command.
  func offer(in command: Command) -> Offer {
    let word = value ?? name
    if file != nil || word == "FILE" || mayBeStream { return .files }
    if word == "FOLDER" { return .folders }
    let words = word.split(separator: "|").map(String.init)
    if words.count > 1 { return .words(words) }
    let title = command.title
    return (Self.words["\(title) \(name)"] ?? Self.words[synopsis]).map(Offer.words) ?? .nothing
  }

  /// The suites of a device's keys.
  private static let ofDevices = Suite.allCases.filter { $0 != .sharedChaChaPoly }.map(\.name)

  /// The words of options that have few, by how they are written; those of one command begin with its name.
  private static let words: [String: [String]] = [
    "SHELL": Shell.allCases.map(\.rawValue),
    "--role ROLE": ["device", "sender", "shared", "identity", "root"],
    "--suite NAME": Suite.allCases.map(\.name),
    "--padding KIND": Padding.allCases.map(\.rawValue),
    "--push-type TYPE": PushType.allCases.map(\.rawValue),
    "inspect --push-type": ["alert", "background", "voip"],
    "--fit KIND": ["reject", "truncate"],
    "--post-quantum POLICY": PostQuantum.allCases.map(\.rawValue),
    "keys new --suite": ofDevices, "keys add --suite": ofDevices, "keys import --suite": ofDevices,
    "--priority N": Priority.allCases.map { String($0.rawValue) },
    "--apns-priority N": Priority.allCases.map { String($0.rawValue) },
    "enqueue --priority": (0...9).map(String.init),
    "--state STATE": ["proven", "pending", "quarantined"],
    "--environment NAME": ["production", "sandbox"],
    "--format NAME": ForeignFormat.allCases.map(\.name),
    "seal --format": ForeignFormat.written.map(\.name),
    "--derivation KIND": ["pbkdf2", "bytes-to-key"],
    "--digest NAME": OpenSSLSalted.Digest.allCases.map(\.rawValue),
    "--carriage KIND": ["z85", "base64url"],
    "--mode MODE": ["cbc", "gcm", "ecb"],
    "--key-rule RULE": ["hexadecimal", "truncated"],
  ]
}
