internal import PushCommands
internal import PushCore
internal import PushCrypto
internal import PushEnrolment
internal import PushKeys
internal import PushNetwork
internal import PushStandIn
internal import SealedPush

/// The backend of a stand-in's app: it asks the enrolment service, as the proxy in front of it that knows who is logged in.
struct ServedApp: AppBackend {
  private let service: LoopbackClient
  private let secret: SharedSecret

  init(at place: LoopbackPlace, secret: SharedSecret) {
    service = LoopbackClient(to: place)
    self.secret = secret
  }

  func send(_ request: ServiceRequest, in session: AppSession?) async throws -> ServiceResponse {
    var headers =
      request.headers.map { ($0.key, $0.value) } + [("Host", "localhost"), ("Connection", "close")]
    if let session {
      headers += [
        ("SealedPush-Person", session.person), ("SealedPush-Login", session.id),
        ("SealedPush-Login-Time", "\(session.beganAt.seconds)"),
      ]
    }
    if request.method == "POST" { headers.append(("Content-Length", "\(request.body.count)")) }
    let head = "\(request.method) \(request.path) HTTP/1.1\r\n" + headers.map { "\($0): \($1)\r\n" }.joined()
    let secret = self.secret
    let lead = Array("\(head)\(ServiceSecrets.header): ".utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(lead.count + secret.exposedBytes.count + 4 + request.body.count)
    defer { bytes.wipe() }
    bytes += lead
    for index in secret.exposedBytes.indices { bytes.append(secret.exposedBytes[index]) }
    bytes += "\r\n\r\n".utf8
    bytes += request.body
    let answer = try await service.send(bytes, limit: ServiceResponse.maximumBody)
    return ServiceResponse(status: answer.status, body: answer.body)
  }
}

extension PhoneApp.Build {
  /// Reads `--service` and what belongs to it; nil without it.
  init?(from arguments: Arguments) throws(ToolError) {
    let others: [Option<String>] = [.secretFile, .roots]
    guard let place = try arguments[.service] else {
      for option in others where arguments[option] != nil {
        throw .usage("\(option) belongs to \(Option.service)", hint: "sealpushd apns --help")
      }
      if arguments.has(.receipts) {
        throw .usage("\(Flag.receipts) belongs to \(Option.service)", hint: "sealpushd apns --help")
      }
      return nil
    }
    let excluded: [Option<String>] = [.phoneKeys, .senders, .store, .phoneIdentity]
    for option in excluded where arguments[option] != nil {
      throw .usage(
        "\(Option.service) and \(option) exclude each other", hint: "the service gives the app its senders")
    }
    guard let audience = try arguments[.audience], let secret = arguments[.secretFile],
      let roots = arguments[.roots]
    else {
      throw .usage(
        "\(Option.service) needs \(Option.audience), \(Option.secretFile) and \(Option.roots)",
        hint: "sealpushd apns --help")
    }
    self.init(
      audience: audience, roots: try Self.roots(in: roots),
      backend: ServedApp(at: place, secret: try ServiceSecrets.secret(in: secret)),
      wantsReceipts: arguments.has(.receipts))
  }

  private static func roots(in path: String) throws(ToolError) -> PublicKeySet {
    let keys: PublicKeySet
    do throws(KeyFileError) {
      keys = try PublicKeyFile(path: path).load()
    } catch {
      throw ToolError(error.fault == .file(.missing) ? .noInput : .badData, error.description)
    }
    guard keys.role == .root else {
      throw ToolError(.badData, "\(path) has the keys of a \(keys.role.rawValue), not of a root")
    }
    return keys
  }
}

extension Flag {
  static let receipts = Flag("--receipts")
}
