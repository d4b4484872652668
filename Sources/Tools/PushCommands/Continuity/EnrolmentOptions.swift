package import PushCore
package import PushEnrolment

/// Options of enrolments and signed sets.
extension Option<String> {
  static var root: Self { Self("--root", "FILE", file: .input) }
  package static var registrations: Self { Self("--registrations", "FILE", file: .input) }
  package static var request: Self { Self("--request", "FILE", file: .output) }
  package static var leave: Self { Self("--leave", "FILE|-", file: .input) }
  package static var tokenFile: Self { Self("--token-file", "FILE|-", file: .input) }
}

/// The name of a registration or a person.
package struct RegisteredName: Sendable {
  package let text: String

  fileprivate init?(_ text: String) {
    guard Registration.isName(text) else { return nil }
    self.text = text
  }
}

extension Option<RegisteredName> {
  package static var registration: Self { .name("--registration") }
  package static var person: Self { .name("--person") }

  private static func name(_ name: String) -> Self {
    Self(name, "NAME", rule: "1 to 255 bytes without control characters", read: RegisteredName.init)
  }
}

extension Flag {
  package static let keyAlone = Flag("--key-alone")
  package static let new = Flag("--new")
  package static let join = Flag("--join")
}

extension Option<APNsEnvironment> {
  package static var environment: Self {
    Self(
      "--environment", "NAME", rule: "production or sandbox", choices: ["production", "sandbox"],
      read: APNsEnvironment.init(rawValue:))
  }
}

extension Option<DeviceToken> {
  package static var token: Self {
    Self("--token", "HEX") { (text, name) throws(ToolError) in
      do throws(ValueError) { return try DeviceToken(text) } catch { throw .usage("\(name): \(error)") }
    }
  }
}

extension Option<PushService> {
  /// A service that carries messages to devices.
  static var service: Self { Self("--service", "NAME", rule: "apns or fcm") }
}

extension Option<Audience> {
  /// The backend's name.
  package static var audience: Option<Audience> {
    Self("--audience", "NAME", rule: "1 to 255 bytes without control characters") { try? Audience($0) }
  }
}

extension Option<Challenge> {
  /// What a backend asked a device to sign.
  package static var challenge: Option<Challenge> {
    Self("--challenge", "TEXT", rule: "1 to 255 bytes") { try? Challenge($0) }
  }
}

extension Option<Int64> {
  /// The number of a signed set.
  static var serial: Self {
    Self("--serial", "N", rule: "a number from 1 to 2^53 - 1", isShown: true) { text in
      TimeSpan.number(in: text[...]).flatMap { (1..<1 << 53).contains($0) ? $0 : nil }
    }
  }
}

extension ToolError {
  /// Why a leave removes nothing.
  package static func refusal(of leave: Leave, for error: SignedSetError) -> ToolError {
    SignedSetText.refusal(for: error, of: "the leave")
  }
}

extension Arguments {
  /// The leave of `--leave`, verified for the backend of `--audience`; nil if neither is given.
  package func leave() throws(ToolError) -> Leave? {
    guard let path = self[.leave] else {
      guard !isGiven(.audience) else { throw .usage("\(Option.audience) needs \(Option.leave) FILE") }
      return nil
    }
    let audience = try required(.audience)
    let bytes = try FileInput.read(from: path)
    do throws(SignedSetError) {
      return try Leave(parsing: bytes.span, audience: audience)
    } catch {
      throw SignedSetText.refusal(for: error, of: FileInput.name(of: path))
    }
  }

  /// The device token of `--token`, or of a file; nil if neither is given.
  package func deviceToken() throws(ToolError) -> DeviceToken? {
    try token { (text) throws(ValueError) in try DeviceToken(text) }
  }

  /// The token of `--token`, or of a file, for the service of `--service`; nil if no token is given.
  func pushToken() throws(ToolError) -> PushToken? {
    guard try self[.service] == .fcm else { return try deviceToken().map(PushToken.apns) }
    return try token { (text) throws(ValueError) in .fcm(try FCMToken(text)) }
  }

  private func token<Token>(
    parsing parse: (String) throws(ValueError) -> Token
  ) throws(ToolError) -> Token? {
    if isGiven(.token), isGiven(.tokenFile) {
      throw .usage("\(Option.token) and \(Option.tokenFile) exclude each other")
    }
    if let text = text(of: Option.token) {
      do throws(ValueError) { return try parse(text) } catch { throw .usage("\(Option.token): \(error)") }
    }
    guard let path = self[.tokenFile] else { return nil }
    let text = String(decoding: try FileInput.read(from: path), as: UTF8.self)
    do throws(ValueError) {
      return try parse(String(text.prefix { !$0.isNewline }))
    } catch {
      throw ToolError(.badData, "\(FileInput.name(of: path)): \(error)")
    }
  }
}

extension Parameter {
  static let root = optional(.root, "the root's public set, if the senders' set is signed")

  /// A device token as an argument, which every user of the machine can see, or in a file.
  package static func deviceToken(_ text: String) -> [Parameter] {
    [
      .optional(.token, text),
      .optional(.tokenFile, "a file with the device token, which keeps it out of the arguments"),
    ]
  }
}
