package import PushCore
import PushKeys
import PushSealer

/// Options that several commands have.
extension Option<String> {
  package static var input: Self { Self("--in", "FILE|-", file: .input) }
  static var output: Self { Self("--out", "FILE|-", file: .output) }
  /// The output where it is a file and never standard output.
  package static var newFile: Self { Self("--out", "FILE", file: .output) }
  package static var keys: Self { Self("--keys", "FILE", file: .input) }
  package static var senders: Self { Self("--senders", "FILE", file: .input) }
  static var config: Self { Self("--config", "FILE", file: .input) }
}

extension Flag {
  static let quiet = Flag("--quiet", short: "-q")
  static let help = Flag("--help", short: "-h")
  static let version = Flag("--version")
  package static let force = Flag("--force")
  package static let json = Flag("--json")
  /// Everything that another option or the operand could name.
  package static let all = Flag("--all")
  static let dryRun = Flag("--dry-run")
  static let anonymous = Flag("--anonymous")
  static let strict = Flag("--strict")
}

extension Option<Topic> {
  /// The app's bundle ID.
  package static var topic: Self { .app("--topic") }

  /// The app's application ID on Android.
  package static var applicationID: Self { .app("--application-id") }

  private static func app(_ name: String) -> Self {
    Self(name, "ID") { (text, name) throws(ToolError) in
      try Arguments.topic(text, called: name.description, status: .usage)
    }
  }
}

extension Option<Suite> {
  static var suite: Self {
    let names = Suite.allCases.map(\.name)
    return Self(
      "--suite", "NAME", rule: names.joined(separator: " or "), choices: names, isShown: true,
      read: Suite.init(name:))
  }
}

extension Option<UnixTime> {
  static var now: Self { .time("--now") }

  /// Declares a time in Unix seconds.
  package static func time(_ name: String) -> Self {
    Self(name, "SECONDS", rule: "a number of seconds since 1970", isShown: true) { text in
      TimeSpan.number(in: text[...]).flatMap(UnixTime.init(seconds:))
    }
  }
}

extension Option<Duration> {
  /// How long a replaced key stays accepted.
  static var grace: Self {
    Self("--grace", "TIME") { (text, name) throws(ToolError) in
      let grace = Duration.seconds(try TimeSpan.seconds(in: text, of: name))
      guard grace >= KeySetEditor.minimumGrace else {
        throw .usage("\(name) must be at least 30d: APNs holds pushes that long, and they would be lost")
      }
      guard grace <= .seconds(3650 * 86_400) else {
        throw .usage(
          "\(name) must be at most 3650d: a key's messages are only safe once the key is destroyed")
      }
      return grace
    }
  }

  /// Declares a number followed by s, m, h or d; without a unit, seconds.
  package static func duration(_ name: String) -> Self {
    Self(name, "TIME") { (text, name) throws(ToolError) in .seconds(try TimeSpan.seconds(in: text, of: name))
    }
  }

  /// Declares one that is in a range, as the rule says.
  package static func duration(_ name: String, in range: ClosedRange<Duration>, rule: String) -> Self {
    Self(name, "TIME") { (text, name) throws(ToolError) in
      let duration = Duration.seconds(try TimeSpan.seconds(in: text, of: name))
      guard range.contains(duration) else { throw .usage("\(name) must be \(rule)") }
      return duration
    }
  }
}

extension Option<Lifetime> {
  /// How long a message is valid.
  package static var lifetime: Self {
    Self("--lifetime", "TIME") { (text, name) throws(ToolError) in
      guard let lifetime = Lifetime(seconds: try TimeSpan.seconds(in: text, of: name)) else {
        throw .usage("\(name) must be at most 30d, which is how long APNs keeps a push")
      }
      return lifetime
    }
  }
}

extension Option<Thumbprint> {
  static var kid: Self { .key("--kid") }

  /// An identity, by its thumbprint.
  package static var identityName: Self {
    Self("--identity", "NAME", rule: "43 characters of base64url; write --identity=NAME if it begins with -")
    {
      try? Thumbprint($0)
    }
  }

  /// Declares a key's full name.
  static func key(_ name: String) -> Self {
    Self(name, "NAME") { (text, name) throws(ToolError) in
      guard let key = try? Thumbprint(text) else {
        throw .usage(
          "\(name) must be a key's full name, as keys list prints it",
          hint: "\(name)=NAME if it begins with -")
      }
      return key
    }
  }
}

extension Option<EnvelopeKey> {
  /// The top-level member that carries the envelope.
  static var envelopeKey: Self { .member("--envelope-key", "NAME") }

  /// Declares a member of a payload that can carry an envelope.
  static func member(_ name: String, _ placeholder: String) -> Self {
    Self(name, placeholder) { (text, name) throws(ToolError) in
      guard let key = try? EnvelopeKey(text) else { throw .usage("\(name) cannot be '\(text)'") }
      return key
    }
  }
}

/// Options' values, or their defaults.
extension Arguments {
  /// A bundle ID; `name` says in an error where it is.
  static func topic(_ text: String, called name: String, status: ExitStatus) throws(ToolError) -> Topic {
    do throws(ValueError) {
      return try Topic(text)
    } catch {
      throw ToolError(status, "\(name) must be \(error.rule)")
    }
  }

  /// The suite of a device's keys to make or to read, which this system's libraries must have.
  func deviceSuite() throws(ToolError) -> Suite? {
    guard let suite = try self[.suite] else { return nil }
    guard suite != .sharedChaChaPoly else { throw .usage("shared keys are made with --role shared") }
    try suite.checkAvailability()
    return suite
  }

  /// The current time, or `--now`.
  package func now() throws(ToolError) -> UnixTime { try self[.now] ?? .now }

  /// The top-level member that carries the envelope.
  func envelopeKey() throws(ToolError) -> EnvelopeKey { try self[.envelopeKey] ?? .default }
}

/// Options with the same purpose in every command that has them.
extension Parameter {
  package static let topic = required(.topic, "the app's bundle ID, not the extension's").configurable()
  package static let audience = required(
    .audience, "the backend's own name, such as https://push.example.com")
  package static let now = optional(.now, "the time to act at, in Unix seconds; default: now")
  package static let input = optional(.input, "the input; default: standard input")
  static let output = optional(.output, "the output; default: standard output")
  package static let force = flag(.force, "replace the output file if it exists")
  static let keys = required(.keys, "the private key file")
  /// The private key file of a command that only reads it.
  static let readKeys = keySource(.keys, "the private key file")
  static let deviceSuite = optional(
    .suite, "a device's suite: x25519-chachapoly (default), p256-aesgcm or xwing-aesgcm"
  ).offering(ofDevices)
  static let grace = optional(.grace, "how long the old keys stay accepted; default and minimum: 30d")
  package static let json = flag(.json, "write JSON, for programs")
  static let pushType = optional(.pushType, "type: " + MessageType.names.joined(separator: ", "))

  /// The suites of a device's keys.
  static let ofDevices = Suite.allCases.filter { $0 != .sharedChaChaPoly }.map(\.name)

  package static let envelopeKey = optional(
    .envelopeKey, "the payload member that carries the envelope; default: ENCRYPTED_DATA")
}

/// Durations as users write them.
package enum TimeSpan {
  private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86400]

  /// The seconds in a number followed by s, m, h or d; without a unit, seconds.
  package static func seconds(in text: String) throws(TimeSpanError) -> Int64 {
    let unit = text.last.flatMap { units[$0] }
    guard let number = number(in: unit == nil ? text[...] : text.dropLast()) else { throw .malformed }
    let (seconds, overflow) = number.multipliedReportingOverflow(by: unit ?? 1)
    guard !overflow else { throw .tooLong }
    return seconds
  }

  /// The same, with errors about an option.
  static func seconds(in text: String, of name: OptionName) throws(ToolError) -> Int64 {
    do throws(TimeSpanError) {
      let seconds = try seconds(in: text)
      guard UnixTime(seconds: seconds) != nil else { throw .tooLong }
      return seconds
    } catch {
      switch error {
      case .malformed: throw .usage("\(name) must be a number and s, m, h or d, such as 30d, not '\(text)'")
      case .tooLong: throw .usage("\(name) is too long")
      }
    }
  }

  /// A number in digits alone.
  static func number(in digits: Substring) -> Int64? {
    digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int64(digits) : nil
  }
}

/// Why a text is not a duration.
package enum TimeSpanError: Error {
  /// It is not a number, or its unit is unknown.
  case malformed
  /// It has more seconds than 64 bits hold.
  case tooLong
}
