internal import PushCommands
internal import PushCore
internal import PushDelivery
private import PushEnrolment
private import PushFiles
internal import PushKeys
internal import PushNetwork
internal import PushStandIn

extension Command {
  static let apns = Command(
    of: "sealpushd", name: ["apns"],
    summary: "play APNs on this machine, with simulated phones that show what arrives",
    details: """
      It serves HTTP/2 on 127.0.0.1 until you interrupt it, checks what APNs checks, and answers as APNs
      answers. It accepts every well-formed provider token, and sends nothing to Apple. Let your client trust
      the root certificate (--root), and connect to 127.0.0.1 or localhost.

      The page shows what Apple sees, what the person sees, and why. On it you can switch phones off and on,
      send them test pushes, and cause faults. Its address has a token, so that other users of this machine
      cannot use it.

      The certificate, the page's address and the phones' tokens are new at each start, unless --state keeps
      them in a file. Whoever has that file can play any server to clients that trust the root: trust it only
      in tests.

      With --keys and --senders, the phones open what is sealed to these keys. If the key file does not exist,
      it is made, with the public half beside it, such as device.jwks and device.pub.jwks. The file of senders
      is read again for each push. Without these options, the phones show payloads as they arrive. Do not use
      the keys of a real phone.

      With --store and --audience as well, the phone enrols itself in a store, in place of the app and the
      application, under its own name. It also answers the proof requests that the worker pushes, so nothing
      else is needed to reach it. Its identity is in --identity, which is made if it does not exist. It also
      registers its tokens for calls, complications and push-to-talk, and one for the Live Activity of
      --activity.

      With --service, each phone has an app, which registers the phone with a sealpushd serve as the product's
      library does on a real phone, and answers the proof requests. On the page you can log persons in and
      out, switch the phone off, open the app again, install it again, and restore a backup on a new phone.
      The app also registers the phone's tokens for calls, complications and push-to-talk. The stand-in takes
      the place of the service's proxy, so it needs the service's secret. The app's keychain is in memory:
      whenever the stand-in starts, the app is new. With --receipts, the app reports which messages were
      shown, whenever it is opened.
      """,
    examples: [
      "sealpushd apns --topic com.example.app",
      "sealpushd apns --topic com.example.app --keys device.jwks --senders sender.pub.jwks --phone Ada",
      """
      sealpushd apns --topic com.example.app --keys device.jwks --senders sender.pub.jwks --phone ada \\
          --state stand-in.json --store push.sqlite --audience https://push.example.com
      """,
      """
      sealpushd apns --topic com.example.app --phone ada --service unix:run/serve.sock --secret-file proxy.secret \\
          --audience https://push.example.com --roots root.pub.jwks
      """,
    ],
    options: [
      .required(.topic, "the app's bundle ID"),
      .optional(.phoneKeys, "the phones' private key file; made if there is none"),
      .optional(.senders, "the public keys of the senders that the phones trust"),
      .optional(.phone, "a phone's name; may be repeated; default: phone").repeatable(),
      .optional(.token, "the first phone's device token; default: a random one"),
      .optional(
        .state, "a file that keeps the certificate, the page's address and the tokens; made if missing"),
      .optional(.store, "a store in which the phone enrols by itself: a file, or postgresql://HOST/DATABASE"),
      .optional(.audience, "the backend's name in enrolments, with --store or --service"),
      .optional(.activity, "with --store: your name for a Live Activity for which the phone has a token"),
      .optional(
        .phoneIdentity, "the phone's identity, with --store; default: identity.jwks; made if missing"),
      .optional(.service, "a service where each phone's app registers it: 127.0.0.1:PORT, or unix:PATH"),
      .optional(.secretFile, "the file with the service's secret, with --service"),
      .optional(.roots, "the public keys of the roots that the app pins, with --service"),
      .flag(.receipts, "the app wants receipts, with --service"),
      .flag(.production, "play the production environment, not the sandbox"),
      .flag(.anyToken, "accept pushes to device tokens that no phone has"),
      .optional(.port, "the port of HTTP/2; default: 2197"),
      .optional(.host, "another name in the certificate, for clients that come through a proxy"),
      .optional(.page, "the port of the page; default: 2198"),
      .optional(.log, "how many pushes the page shows; default: 1000"),
      .optional(.rootCertificate, "where to write the root certificate; default: apns-root.pem"),
      .json,
    ]
  ) { (arguments, console) throws(ToolError) in
    // Before anybody learns that it serves, and may end it.
    try Interruption.watch()
    let session = try await StandInSession(from: arguments, console: console)
    try console.print(arguments.has(.json) ? session.json : session.text)
    await session.serve()
  }
}

/// A stand-in that serves, with its phones and its page.
private struct StandInSession {
  private let apns: APNsStandIn
  private let page: StandInPage
  private let rootPath: String
  private let phones: [StandInPhone]
  private let enrolling: Task<Void, Never>?

  init(from arguments: Arguments, console: Console) async throws(ToolError) {
    var settings = APNsSettings()
    settings.environment = arguments.has(.production) ? .production : .sandbox
    settings.acceptsUnknownTokens = arguments.has(.anyToken)
    // A backend that is being written starts often, with a new token each time.
    settings.newTokensIn20Minutes = 100
    settings.loggedPushes = try arguments[.log] ?? settings.loggedPushes
    let path = arguments[.state]
    let state = try path.map { (path) throws(ToolError) in try StandInState.kept(in: path) } ?? StandInState()
    let build = try PhoneApp.Build(from: arguments)
    let enrolment = build == nil ? try PhoneEnrolment(from: arguments) : nil
    let recipe = try PhoneRecipe(
      from: arguments, environment: settings.environment, state: state, console: console)
    rootPath = arguments[.rootCertificate] ?? "apns-root.pem"
    let names = try arguments[.host].map { [$0.host] } ?? []
    let ports = (try arguments[.port] ?? 2197, try arguments[.page] ?? 2198)
    do throws(StandInError) {
      apns = try await APNsStandIn.start(
        settings: settings, port: ports.0, authority: state.authority, names: names)
      page = try StandInPage(of: apns.model, port: ports.1, token: state.page)
      try apns.writeRoot(to: rootPath)
    } catch {
      if case .cannotWriteRoot = error { throw ToolError(.cannotCreate, error.description) }
      throw ToolError(.failed, error.description, hint: "port 0 lets the system choose one")
    }
    phones = try await recipe.phones(of: apns, running: build)
    if let path { try state.write(to: path, phones: phones) }
    enrolling = try await enrolment?.begin(for: phones[0], console: console)
  }

  /// Serves until SIGINT or SIGTERM comes.
  func serve() async {
    let clock = Task { [apns] in await apns.model.followSystemClock() }
    await Interruption.wait()
    clock.cancel()
    enrolling?.cancel()
    page.stop()
    for app in apns.model.apps { await app.end() }
    await apns.stop()
  }

  var text: String {
    let lines =
      [
        ("APNs", "https://127.0.0.1:\(apns.port)"), ("root", rootPath), ("page", page.address),
      ] + phones.map { ("token of \($0.name)", $0.token.text) }
    return lines.map { "\(PrintableText.escaped($0.0)): \(PrintableText.escaped($0.1))\n" }.joined()
  }

  var json: String {
    let phones = phones.map { phone -> JSONValue in
      [
        "name": .string(phone.name), "topic": .string(phone.topic.text), "token": .string(phone.token.text),
        "environment": .string(phone.environment.rawValue), "tokens": .object(phone.otherTokens),
      ]
    }
    let object: JSONObject = [
      "host": "127.0.0.1", "port": .number(JSONNumber(Int(apns.port))), "root": .string(rootPath),
      "page": .string(page.address), "origin": .string(page.origin), "phones": .array(phones),
    ]
    return String(decoding: object.encoded(), as: UTF8.self) + "\n"
  }
}

/// What phones the arguments ask for.
private struct PhoneRecipe {
  private let names: [String]
  private let first: DeviceAddress
  private let keys: (own: any DeviceKeyStore, senders: PublicKeyFile)?
  private let state: StandInState

  init(
    from arguments: Arguments, environment: APNsEnvironment, state: StandInState, console: Console
  ) throws(ToolError) {
    let names = arguments.all(.phone).isEmpty ? ["phone"] : arguments.all(.phone)
    guard Set(names).count == names.count else { throw .usage("two phones have the same name") }
    let app = try arguments.required(.topic)
    guard app.isOf(.apns) else {
      throw .usage("\(Option.topic) must be a bundle ID, which has no underscore")
    }
    let token = try arguments[.token] ?? state[names[0]][.app]
    first = DeviceAddress(topic: app, environment: environment, token: token ?? .random())
    switch (arguments[.phoneKeys], arguments[.senders]) {
    case (nil, nil):
      guard arguments[.store] == nil else {
        throw .usage("\(Option.store) needs \(Option.phoneKeys) and \(Option.senders)")
      }
      keys = nil
    case (let own?, let senders?):
      let enrols = arguments[.store] != nil
      let rule = "\(Option.store) is only for a single phone that has a device's keys"
      guard names.count == 1 || !enrols else { throw .usage(rule) }
      let senders = try Self.checked(senders)
      let device = try Self.loadOrMake(at: own, console: console)
      guard enrols else {
        keys = (device, senders)
        break
      }
      guard device.role == .device else { throw .usage(rule) }
      let identity = arguments[.phoneIdentity] ?? "identity.jwks"
      keys = (KeyFolder(path: ".", device: own, identity: identity), senders)
    default:
      throw .usage("\(Option.phoneKeys) and \(Option.senders) belong together", hint: "sealpushd apns --help")
    }
    self.names = names
    self.state = state
  }

  /// Adds the phones to a stand-in, with an app if it has a build.
  func phones(
    of apns: APNsStandIn, running build: PhoneApp.Build?
  ) async throws(ToolError) -> [StandInPhone] {
    var phones: [StandInPhone] = []
    for (index, name) in names.enumerated() {
      let token = index == 0 ? first.token : state[name][.app] ?? .random()
      let address = DeviceAddress(topic: first.topic, environment: first.environment, token: token)
      let phone: StandInPhone
      if let build {
        do {
          phone = try await apns.model.app(named: name, at: address, build: build).phone
        } catch {
          throw ToolError(.cannotCreate, "the app's files: \(error)")
        }
      } else if let keys {
        phone = apns.phone(name: name, address: address, keys: keys.own, senders: keys.senders)
      } else {
        phone = apns.phone(name: name, address: address)
      }
      phone.restore(state[name])
      phones.append(phone)
    }
    return phones
  }

  /// A file of senders that can be read.
  private static func checked(_ path: String) throws(ToolError) -> PublicKeyFile {
    let file = PublicKeyFile(path: path)
    do throws(KeyFileError) {
      _ = try file.load()
    } catch {
      throw ToolError(error.fault == .file(.missing) ? .noInput : .badData, error.description)
    }
    return file
  }

  /// The keys of a file, which is made with its public half if it is not there.
  private static func loadOrMake(at path: String, console: Console) throws(ToolError) -> KeySet {
    let keys: KeySet
    do throws(KeyFileError) {
      keys = try KeyFile(path: path).load()
    } catch {
      guard error.fault == .file(.missing) else { throw ToolError(.badData, error.description) }
      return try make(at: path, console: console)
    }
    guard keys.role == .device || keys.role == .shared else {
      throw ToolError(.badData, "\(path) has the keys of a \(keys.role.rawValue), not of a device")
    }
    return keys
  }

  private static func make(at path: String, console: Console) throws(ToolError) -> KeySet {
    let keys = KeySet(generating: .device, at: .now)
    let publicPath = (path.hasSuffix(".jwks") ? String(path.dropLast(5)) : path) + ".pub.jwks"
    do {
      try OutputFile(path: publicPath).write(try keys.publicKeys.encoded().span)
      try KeyFile(path: path).create(keys)
    } catch {
      throw ToolError(.cannotCreate, "\(error)")
    }
    console.note("made \(path), and \(publicPath) to seal to")
    return keys
  }
}

extension Option<String> {
  fileprivate static var phone: Self { Self("--phone", "NAME") }
  /// Made if it is not there.
  static var phoneKeys: Self { Self("--keys", "FILE") }
  static var phoneIdentity: Self { Self("--identity", "FILE", file: .input) }
  static var roots: Self { Self("--roots", "FILE", file: .input) }
  fileprivate static var state: Self { Self("--state", "FILE", file: .input) }
  fileprivate static var rootCertificate: Self { Self("--root", "FILE") }
}

extension Option<APNsConfiguration.Server> {
  /// A server by its name alone.
  fileprivate static var host: Self {
    Self("--host", "NAME", rule: "a name or an IP address", isShown: true) { text in
      let server = APNsConfiguration.Server(host: text)
      return server.isValid ? server : nil
    }
  }
}

extension Option<UInt16> {
  fileprivate static var port: Self { .port("--port") }
  static var page: Self { .port("--page") }
}

extension Option<LoopbackPlace> {
  static var service: Self { .loopback("--service", hint: "the service runs on this machine") }
}

extension Option<Int> {
  fileprivate static var log: Self { .count("--log") }
}

extension Flag {
  fileprivate static let production = Flag("--production")
  fileprivate static let anyToken = Flag("--any-token")
}
