import PushCore
import PushFiles
import PushEnrolment
import PushKeys
import PushReceiver

extension Command {
  static let keysEnrol = Command(
    name: ["keys", "enrol"], summary: "sign a device's public keys for its backend",
    details: """
      Prints what an app sends to its backend: a line of JSON with the device's address and its active keys,
      signed by its identity. On the backend, keys accept reads it.

      The identity is a separate key file beside the device's, created if it does not exist. The backend pins
      it, so keep it as long as the device. Each enrolment has a higher serial than the one before.

      --audience is the backend's own name, such as https://push.example.com. Build it into the app; never
      take it from a message.

      With --service fcm the app runs on Android: --topic is its application ID, and --token is the
      registration token that FCM gave it.

      With --answer it answers a proof request: the payload that the backend pushed to the device because an
      enrolment had a new key or token. The new enrolment contains the proof. It is made only if an active key
      opens the request, one of --senders signed it, and it names this audience and this identity. Otherwise
      the exit status is 65.

      With --senders and --root it also signs a report for the backend's operator: the serial and the digest
      of the set of senders' keys that the device has. With --counts, the report also has the totals of pushes
      that opened and of those that did not, as {"since":DAY,"opened":N,"degraded":{"unknown-key":N}}, where
      DAY is a number of days since 1970. The backend accepts the enrolment whatever the report says.
      """,
    examples: [
      """
      sealpush keys enrol --keys device.jwks --topic com.example.app --token 00ff \\
          --audience https://push.example.com --out enrolment.json --force
      """
    ],
    options: [
      .keys,
      .optional(.identity, "the identity's key file, in the folder of --keys; default: identity.jwks"),
      .topic,
    ] + Parameter.deviceToken("the app's device token") + [
      .optional(.service, "what carries the device's messages: apns (default) or fcm"),
      .optional(.environment, "the token's environment: production (default) or sandbox"),
      .audience, .optional(.challenge, "the backend's challenge, to be signed"),
      .optional(.answer, "the payload of a proof request to answer"),
      .optional(.senders, "the trusted senders' public JWK Set, or a signed set; for --answer or a report")
        .configurable(.with(.answer)),
      .optional(.counts, "a JSON file of counts to report"),
      .root, .envelopeKey, .output, .force,
      .flag(.dryRun, "sign nothing; print what would be signed"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file(.keys)
    let address = try address(from: arguments)
    let (audience, challenge) = (try arguments.required(.audience), try arguments[.challenge])
    let now = try arguments.now()
    let request = try request(from: arguments)
    let report = try report(from: arguments)
    let folder = try DeviceFolder(path: path, identity: arguments[.identity])
    let keys = try Keys.load(from: path, passphrase: arguments.passphrase)
    guard keys.role == .device else {
      throw KeyFileFailure.wrongRole(keys.role, at: path, needed: "a device's")
    }
    let output = try FileOutput(path: arguments[.output], replaces: arguments.has(.force))
    let isNew = !FileStatus.isThere(folder.identityPath)
    guard !arguments.has(.dryRun) else {
      let active = keys.records.count { $0.life.status == .active }
      if isNew { console.note("would make \(folder.identityPath)") }
      return console.note("dry run: would sign \(active) key\(active == 1 ? "" : "s") of \(path)")
    }
    let result = try folder.open(passphrase: arguments.passphrase) {
      (folder) throws(KeyFileError) -> Result<Enrolment, ProofRefusal> in
      guard let request else {
        // Only the file's own keys: an app's store would add keys for other suites, which keys add does here.
        return .success(
          try folder.update(orMakeIdentityAt: now) { (keys) throws(KeySetError) in
            try keys.enrol(address: address, for: audience, challenge: challenge, report: report, at: now)
          })
      }
      return try folder.answer(
        request.request, openedBy: request.opened.recipient, address: address, for: audience,
        challenge: challenge, report: report, at: now) ?? .failure(.otherIdentity)
    }
    let enrolment: Enrolment
    do throws(ProofRefusal) {
      enrolment = try result.get()
    } catch {
      throw SignedSetText.refusal(for: error, at: "the request")
    }
    if isNew { console.note("made \(folder.identityPath): the backend will recognize the device by it") }
    console.note("signed the keys of \(path) with serial \(enrolment.serial)")
    try output.write(enrolment.encoded() + [UInt8(ascii: "\n")], as: .json, console: console)
  }
}

extension Command {
  /// Where the device's messages go.
  private static func address(from arguments: Arguments) throws(ToolError) -> PushAddress {
    let topic = try arguments.required(.topic)
    switch try arguments.pushToken() {
    case nil: throw .usage("give \(Option.token) TEXT or \(Option.tokenFile) FILE")
    case .apns(let token):
      guard topic.isOf(.apns) else { throw .usage("\(Option.topic): a bundle ID has no underscores") }
      return .apns(
        DeviceAddress(topic: topic, environment: try arguments[.environment] ?? .production, token: token))
    case .fcm(let token):
      guard !arguments.isGiven(.environment) else {
        throw .usage("\(Option.environment): an FCM device has none")
      }
      guard let address = try? FCMAddress(topic: topic, token: token) else {
        throw .usage("\(Option.topic): an application ID has no hyphens")
      }
      return .fcm(address)
    }
  }

  /// The proof request to answer; nil if there is none.
  private static func request(from arguments: Arguments) throws(ToolError) -> OpenedProofRequest? {
    guard let path = arguments[.answer] else {
      guard arguments[.senders] == nil || arguments[.root] != nil else {
        throw .usage("\(Option.senders) needs \(Option.answer) FILE, or \(Option.root) FILE for a report")
      }
      return nil
    }
    guard arguments[.senders] != nil else { throw .usage("\(Option.answer) needs \(Option.senders) FILE") }
    let receiver = try Receiver(from: arguments)
    let payload = try FileInput.payload(from: path, over: try arguments[.service] ?? .apns)
    do throws(DegradeReason) {
      return try receiver.openProofRequest(EnvelopeField(data: payload, envelopeKey: receiver.envelopeKey))
    } catch {
      throw ToolError(.badData, "\(error.rawValue): \(error.explanation)", hint: error.remedy)
    }
  }
}

extension Command {
  /// What the device says of itself; nil without a signed set and counts.
  private static func report(from arguments: Arguments) throws(ToolError) -> DeviceReport? {
    var report = DeviceReport()
    if let path = arguments[.senders], let root = try PinnedRoot(parsing: arguments) {
      report.senders = try Keys.loadSenders(from: path, root: root).signedSet?.version
    }
    if let path = arguments[.counts] {
      let bytes = try FileInput.read(from: path)
      guard let object = try? JSONObject(parsing: bytes.span) else {
        throw ToolError(.badData, "\(path) is not a JSON object")
      }
      report.counts = ReceptionCounts(members: object)
    }
    return report == DeviceReport() ? nil : report
  }
}

/// A device's key file and its identity's, in one folder and under one lock.
struct DeviceFolder {
  /// The identity's path.
  let identityPath: String

  private let folder: String
  private let device: String
  private let identity: String

  /// Takes the device's path, and the identity's if it is not `identity.jwks` beside it.
  init(path: String, identity: String?) throws(ToolError) {
    let (folder, device) = Self.split(path)
    identityPath = identity ?? (folder == "." ? "identity.jwks" : "\(folder)/identity.jwks")
    let other = Self.split(identityPath)
    guard other.folder == folder else {
      throw .usage(
        "\(Option.identity) must be in the same folder as \(Option.keys), because both share a lock")
    }
    (self.folder, self.device, self.identity) = (folder, device, other.name)
  }

  /// Works on the files with the given passphrase, or one that the terminal asks for.
  func open<Result>(
    passphrase: Passphrase?, work: (KeyFolder) throws(KeyFileError) -> Result
  ) throws(ToolError) -> Result {
    try Keys.unlocking(identityPath, passphrase: passphrase) { (passphrase) throws(KeyFileError) in
      try work(KeyFolder(path: folder, device: device, identity: identity, passphrase: passphrase))
    }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let end = path.lastIndex(of: "/") else { return (".", path) }
    return (end == path.startIndex ? "/" : String(path[..<end]), String(path[path.index(after: end)...]))
  }
}

extension Option<String> {
  static var identity: Self { Self("--identity", "FILE", file: .input) }
  fileprivate static var counts: Self { Self("--counts", "FILE", file: .input) }
  fileprivate static var answer: Self { Self("--answer", "FILE|-", file: .input) }
}
