package import PushCore
import PushKeys
import PushSealer

/// Options' values as types.
extension Arguments {
  /// The app's bundle id.
  package func topic() throws(ToolError) -> Topic {
    try Self.topic(try required("--topic"), called: "--topic", status: .usage)
  }

  /// A bundle id; `name` says in an error where it is.
  static func topic(_ text: String, called name: String, status: ExitStatus) throws(ToolError) -> Topic {
    do throws(TopicError) {
      return try Topic(text)
    } catch {
      throw ToolError(status, "\(name) \(error.reason)")
    }
  }

  /// A suite by its name.
  func suite() throws(ToolError) -> Suite? {
    guard let name = self["--suite"] else { return nil }
    guard let suite = Suite(name: name) else {
      let names = Suite.allCases.map(\.name).joined(separator: " or ")
      throw .usage("--suite is \(names), not '\(name)'")
    }
    return suite
  }

  /// The suite of a device's keys to make or to read, which this system's libraries must have.
  func deviceSuite() throws(ToolError) -> Suite? {
    guard let suite = try suite() else { return nil }
    guard suite != .sharedChaChaPoly else { throw .usage("shared keys are made with --role shared") }
    try suite.checkAvailability()
    return suite
  }

  /// The current time, or `--now`.
  package func now() throws(ToolError) -> UnixTime { try time("--now") ?? .now }

  /// A time in Unix seconds.
  package func time(_ name: String) throws(ToolError) -> UnixTime? {
    guard let text = self[name] else { return nil }
    guard let time = TimeSpan.number(in: text[...]).flatMap(UnixTime.init(seconds:)) else {
      throw .usage("\(name) is a number of seconds since 1970, not '\(text)'")
    }
    return time
  }

  /// A duration in seconds: a number followed by s, m, h or d; without a unit, seconds.
  package func seconds(_ name: String) throws(ToolError) -> Int64? {
    guard let text = self[name] else { return nil }
    do throws(TimeSpanError) {
      let seconds = try TimeSpan.seconds(in: text)
      guard UnixTime(seconds: seconds) != nil else { throw .tooLong }
      return seconds
    } catch {
      switch error {
      case .malformed: throw .usage("\(name) is a number and s, m, h or d, such as 30d, not '\(text)'")
      case .tooLong: throw .usage("\(name) is too long")
      }
    }
  }

  /// How long a replaced key stays accepted.
  func grace() throws(ToolError) -> Duration {
    let grace = try seconds("--grace").map { Duration.seconds($0) } ?? KeySetEditor.minimumGrace
    guard grace >= KeySetEditor.minimumGrace else {
      throw .usage("--grace is at least 30d: APNs holds pushes that long, and they would be lost")
    }
    guard grace <= .seconds(3650 * 86_400) else {
      throw .usage("--grace is at most 3650d: the messages of a key are only safe once it is destroyed")
    }
    return grace
  }

  /// A key's full name; nil if none is asked for.
  func kid() throws(ToolError) -> Thumbprint? { try thumbprint("--kid") }

  /// A key's full name, as an option gives it; nil if none is asked for.
  func thumbprint(_ name: String) throws(ToolError) -> Thumbprint? {
    guard let text = self[name] else { return nil }
    guard let kid = try? Thumbprint(text) else {
      throw .usage(
        "\(name) is a key's full name, as keys list prints it", hint: "\(name)=NAME if it begins with -")
    }
    return kid
  }

  /// How a single key is written; nil if none is asked for.
  func format() throws(ToolError) -> KeyFormat? {
    guard let name = self["--format"] else { return nil }
    guard let format = KeyFormat(rawValue: name) else { throw .usage("--format is jwk, pem or raw") }
    return format
  }

  /// How long a message is valid; nil if nothing is given.
  package func lifetime() throws(ToolError) -> Lifetime? {
    guard let seconds = try seconds("--lifetime") else { return nil }
    guard let lifetime = Lifetime(seconds: seconds) else {
      throw .usage("--lifetime is at most 30d, which is how long APNs keeps a push")
    }
    return lifetime
  }

  /// The type of push; nil if none is given.
  func pushType() throws(ToolError) -> PushType? {
    guard let name = self["--push-type"] else { return nil }
    guard let pushType = PushType(rawValue: name) else {
      let names = PushType.allCases.map(\.rawValue)
      throw .usage("--push-type is \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")")
    }
    return pushType
  }

  /// The top-level member that carries the envelope.
  func envelopeKey() throws(ToolError) -> EnvelopeKey {
    guard let text = self["--envelope-key"] else { return .default }
    guard let key = try? EnvelopeKey(text) else { throw .usage("--envelope-key cannot be '\(text)'") }
    return key
  }
}

extension Option {
  package static let topic = Option.required(
    "--topic", value: "ID", "the app's bundle ID, not the extension's"
  )
  .configurable()
  package static let audience = Option.required(
    "--audience", value: "NAME", "the backend's own name, such as https://push.example.com")
  static let now = Option.optional(
    "--now", value: "SECONDS", "the time to act at, in Unix seconds; default: now")
  package static let input = Option.optional(
    "--in", value: "FILE|-", "the input; default: standard input", file: .input)
  static let output = Option.optional(
    "--out", value: "FILE|-", "the output; default: standard output", file: .output)
  package static let force = Option.flag("--force", "replace the output file if it exists")
  static let keys = Option.required("--keys", value: "FILE", "the private key file", file: .input)
  static let deviceSuite = Option.optional(
    "--suite", value: "NAME", "a device's suite: x25519-chachapoly (default), p256-aesgcm or xwing-aesgcm")
  static let grace = Option.optional(
    "--grace", value: "TIME", "how long the old keys stay accepted; default and minimum: 30d")
  static let kid = Option.optional("--kid", value: "NAME", "the key's name in keys list")
  package static let json = Option.flag("--json", "write JSON, for programs")
  static let pushType = pushType(orElse: "alert")

  /// The type of push, with what holds if none is given.
  static func pushType(orElse other: String) -> Option {
    let names = PushType.allCases.map(\.rawValue).joined(separator: ", ")
    return .optional("--push-type", value: "TYPE", "\(names); default: \(other)")
  }

  package static let envelopeKey = Option.optional(
    "--envelope-key", value: "NAME", "the payload member that carries the envelope; default: ENCRYPTED_DATA")
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
