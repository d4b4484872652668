import PushEnvelope
import PushKeys
import PushPayload
import PushSealer

extension Command {
  static let keysAccept = Command(
    name: ["keys", "accept"], summary: "accept an enrolment (backend) or a signed sender set (device)",
    details: """
      With --registrations: reads an enrolment from keys enrol, and stores the device's keys and address under the
      registration. Rejected are unsigned enrolments, enrolments for another audience or signed by another identity
      than the registration's, a serial lower than the last one, and an identity, token or key that another
      registration has proven. --challenge or --new creates the registration if it does not exist: use them only
      for a person who has just logged in, or a lost phone could register itself again. Without --registration the
      name is the identity's, and the registration is created if necessary. --person notes whose device it is, for
      lines of seal --lines that are for a person. The file is also what seal --recipients reads.
      A new key or token is pending until the device has proven that it has both. The exit status is then 75.
      A key whose suite this system's libraries do not have waits: it is named in "waiting", and is to be proven
      when an enrolment arrives at a system that has the suite.
      Push the request to the token, in a background push: the JSON below has it, with its headers, and --request
      writes its payload. The device answers it with keys enrol --answer; accept that answer. Until then messages
      are sealed to what the registration has proven before. --key-alone proves only the key: return the request
      to the device in your answer.
      With --senders: reads a set from keys sign-senders, and stores it in the file if the root signed it for the
      topic and it is not older than the stored set.
      A newer set is stored even if it has ended, because it may remove a key.
      Prints a line of JSON: {"change","registration","identity","serial","keys"}, with "person" if it is known, or
      {"change","serial","expires","keys"}; change is registered, updated, unchanged or pending; expires, when the
      set ends, is in Unix seconds. If it is pending there is also
      "request":{"device_token","environment","headers","payload"}, without the first three for --key-alone and
      without all with --dry-run. If the input is rejected, the error gives the reason and the exit status is 65.
      """,
    examples: [
      """
      sealpush keys accept --registrations registrations --registration ada-1 --new \\
          --audience https://push.example.com --from sender.jwks --in enrolment.json
      """,
      """
      sealpush keys accept --senders senders.jws --root root.pub.jwks --topic com.example.app \\
          --in new-senders.jws
      """,
    ],
    options: [
      .optional(
        "--registrations", "FILE", "the backend's registrations; created if it does not exist", file: .input),
      .optional("--registration", "NAME", "whose enrolment it is, according to the app's own login"),
      .optional("--person", "NAME", "your name for whose device it is; default: as before"),
      .optional("--audience", "NAME", "this backend's own name, which the enrolment must have"),
      .keySource("--from", "the sender's private key file, which signs proof requests", isRequired: false)
        .configurable(.with("--registrations")),
      .keyDescriptor("--from"),
      .optional("--request", "FILE", "where to write the payload of a proof request", file: .output), .force,
      .flag("--key-alone", "have the key proven, and not the token"), .envelopeKey,
      .flag("--new", "create the registration if it does not exist"),
      .optional("--challenge", "TEXT", "the challenge that the device had to sign"),
      .optional("--senders", "FILE", "the device's stored set; created if it does not exist", file: .input),
      .root,
      .optional("--topic", "ID", "the app's bundle ID; an enrolment for another app is rejected")
        .configurable(.with("--senders")), .input,
      .flag("--dry-run", "change nothing; print what would change"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    switch (arguments["--registrations"], arguments["--senders"]) {
    case (let path?, nil): try acceptEnrolment(path, arguments, console)
    case (nil, let path?): try print(try acceptSenders(path, arguments), console)
    default: throw .usage("give either --registrations FILE or --senders FILE")
    }
  }

  private static func print(_ line: JSONObject, _ console: Console) throws(ToolError) {
    try console.print(line.jsonLine)
  }

  private static func acceptEnrolment(
    _ path: String, _ arguments: Arguments, _ console: Console
  ) throws(ToolError) {
    for name in ["--audience", "--from"] where arguments[name] == nil && arguments["\(name)-fd"] == nil {
      throw .usage("--registrations needs \(name)", hint: "sealpush keys accept --help")
    }
    let topic = arguments["--topic"] == nil ? nil : try arguments.topic()
    let (audience, challenge) = (try arguments.audience(), try arguments.challenge())
    let sealing = try ProofSealing(arguments)
    let json = try FileInput.read(arguments["--in"])
    let enrolment = try Continuity.refusing("the enrolment") { () throws(SignedSetError) in
      try Enrolment(parsing: json.span, for: topic, audience: audience, challenge: challenge)
    }
    let name = arguments["--registration"] ?? enrolment.identity.thumbprint.text
    guard Registration.isName(name) else {
      throw .usage("--registration is 1 to 255 bytes without control characters")
    }
    let mayBeNew = challenge != nil || arguments.has("--new") || arguments["--registration"] == nil
    let possession: Possession = arguments.has("--key-alone") ? .keyAlone : .keyAndToken
    let isDryRun = arguments.has("--dry-run")
    let newPerson = try person(arguments)
    let (change, registration) = try Continuity.update(path, isDryRun: isDryRun) {
      (registrations) throws(SignedSetError) -> (Registrations.Change, Registration?) in
      let change =
        try mayBeNew
        ? registrations.accept(enrolment, as: name, proving: possession)
        : registrations.update(enrolment, as: name, proving: possession)
      if let newPerson { try registrations.assign(name, to: newPerson) }
      return (change, registrations[name])
    }
    var line: JSONObject = [
      "change": .string(change.rawValue), "registration": .string(name),
      "identity": .string(enrolment.identity.thumbprint.text),
      "serial": .number(JSONNumber(enrolment.serial)), "keys": Continuity.names(enrolment.keys),
    ]
    if let person = registration?.person { line["person"] = .string(person) }
    let waiting = enrolment.keys.records.filter { $0.life.status == .active && !$0.algorithm.isAvailable }
    if !waiting.isEmpty { line["waiting"] = .array(waiting.map { .string($0.id.text) }) }
    for suite in Set(waiting.compactMap(\.algorithm.suite)) {
      console.note("a key is to be proven once this system has its suite: \(suite.unavailability)")
    }
    guard change == .pending, let pending = registration?.pending else { return try print(line, console) }
    guard pending.recipient.suite.isAvailable else {
      try print(line, console)
      throw ToolError(.pending, "")
    }
    if isDryRun {
      try print(line, console)
    } else {
      try sealing.write(pending, after: line, console)
    }
    console.note("pending: send the device the request, and accept its answer (keys enrol --answer)")
    throw ToolError(.pending, "")
  }

  private static func person(_ arguments: Arguments) throws(ToolError) -> String? {
    guard let name = arguments["--person"] else { return nil }
    guard Registration.isName(name) else {
      throw .usage("--person is 1 to 255 bytes without control characters")
    }
    return name
  }

  private static func acceptSenders(_ path: String, _ arguments: Arguments) throws(ToolError) -> JSONObject {
    guard let root = arguments["--root"] else { throw .usage("--senders needs --root FILE") }
    let (roots, topic) = (try Keys.loadRoots(root), try arguments.topic())
    guard try Continuity.mayBeReplaced(path) else {
      throw ToolError(
        .cannotCreate, "\(path) exists and is not a signed set",
        hint: "--senders is the device's stored set; the new set is --in")
    }
    let text = Continuity.text(try FileInput.read(arguments["--in"]))
    let set = try Continuity.refusing("the set") { () throws(SignedSetError) in
      try SenderKeySet(parsing: text.span, roots: roots, topic: topic)
    }
    let file = SenderKeyFile(path: path, roots: roots, topic: topic)
    let change: SenderKeyFile.Change
    do throws(SenderKeyFileError) {
      change = arguments.has("--dry-run") ? try file.check(set) : try file.accept(set)
    } catch {
      switch error {
      case .file(let error, _): throw SignedSetText.failure(error, path)
      case .refused(let error, _): throw SignedSetText.refusal(error, "the set")
      }
    }
    return [
      "change": .string(change.rawValue), "serial": .number(JSONNumber(set.serial)),
      "expires": .number(JSONNumber(set.expiresAt.seconds)), "keys": Continuity.names(set.keys),
    ]
  }
}

/// Seals proof requests, and writes them.
///
/// Made before anything is stored, so that a missing key or a file that exists changes nothing.
private struct ProofSealing {
  private let key: SigningKey
  private let policy: SealingPolicy
  private let now: UnixTime
  private let output: FileOutput?

  init(_ arguments: Arguments) throws(ToolError) {
    let source = try KeySource(required: "--from", arguments)
    now = try arguments.now()
    policy = SealingPolicy(envelopeKey: try arguments.envelopeKey())
    let keys = try Keys.load(source, arguments)
    do throws(KeySetError) {
      key = try keys.signingKey(at: now)
    } catch {
      throw KeyFileFailure.describe(error, source.name)
    }
    output = try arguments["--request"].map { (path) throws(ToolError) in
      try FileOutput(path, replaces: arguments.has("--force"))
    }
  }

  /// Prints a line with the request as its last member, whose payload is to be sent byte for byte.
  func write(_ pending: PendingProof, after line: JSONObject, _ console: Console) throws(ToolError) {
    let push: SealedPush
    do throws(SealError) {
      push = try Sealer(topic: pending.address.topic, signingKey: key, policy: policy)
        .seal(pending.request, to: pending.recipient, at: now)
    } catch {
      throw SealFailure.describe(error)
    }
    var place = JSONObject()
    if pending.possession == .keyAndToken {
      var headers = JSONObject()
      for (name, value) in push.headers.fields { headers[name] = .string(value) }
      place = [
        "device_token": .string(pending.address.token.text),
        "environment": .string(pending.address.environment.rawValue), "headers": .object(headers),
      ]
    }
    let start = place.encoded().dropLast() + Array((place.isEmpty ? "" : ",").utf8)
    try output?.write(push.payload, as: .json, console)
    let request = Array(#","request":"#.utf8) + start + Array(#""payload":"#.utf8) + push.payload
    try console.write(
      Terminal.printable(json: line.encoded()).dropLast() + request + Array("}}\n".utf8), as: .json)
  }
}
