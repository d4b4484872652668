internal import PushCommands
internal import PushCore
internal import PushNetwork
internal import PushStore

/// The headers in which a proxy says who is logged in.
struct ServiceIdentity: Sendable {
  private let person: String
  private let login: String
  private let beganAt: String

  /// How far ahead of this clock a login may have begun.
  private static let skew = Duration.seconds(600)

  /// Reads `--identity-header`.
  init(from arguments: Arguments) throws(ToolError) {
    let names = try arguments.all(.identityHeader).map(\.text)
    guard names.isEmpty || names.count == 3 && Set(names).count == 3 else {
      throw .usage("give \(Option.identityHeader) three times: for the person, the login and its time")
    }
    person = names.first ?? "sealedpush-person"
    login = names.dropFirst().first ?? "sealedpush-login"
    beganAt = names.last ?? "sealedpush-login-time"
  }

  /// The login of a request; nil if a header is missing, empty, repeated, joined with a comma, or wrong.
  func login(of request: PlainRequest, at now: UnixTime) -> Login? {
    guard let person = value(of: person, in: request), let id = value(of: login, in: request),
      let time = value(of: beganAt, in: request), time.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let beganAt = Int64(time).flatMap(UnixTime.init(seconds:)), beganAt <= now.advanced(by: Self.skew)
    else { return nil }
    return try? Login(person: person, id: id, beganAt: beganAt)
  }

  private func value(of name: String, in request: PlainRequest) -> String? {
    guard !request.repeated.contains(name), let value = request.headers[name], !value.isEmpty,
      !value.utf8.contains(UInt8(ascii: ","))
    else { return nil }
    return value
  }
}

extension Option<HeaderName> {
  static var identityHeader: Self {
    Self("--identity-header", "NAME", rule: "letters, digits and hyphens", isShown: true) { HeaderName($0) }
  }
}

/// The name of a header.
struct HeaderName: Sendable {
  /// In lowercase.
  let text: String

  init?(_ text: String) {
    let text = text.lowercased()
    let isFit = text.utf8.allSatisfy {
      (0x61...0x7a).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2d
    }
    guard isFit, (1...64).contains(text.utf8.count) else { return nil }
    self.text = text
  }
}
