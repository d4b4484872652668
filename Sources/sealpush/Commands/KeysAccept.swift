import PushEnvelope
import PushKeys
import PushPayload

extension Command {
  static let keysAccept = Command(
    name: ["keys", "accept"], summary: "take an enrolment as a backend, or a signed set as a device",
    details: """
      With --registrations: reads an enrolment from keys enrol, and takes the device's keys and address for the
      registration. Refused are an unsigned one, one of another identity than the registration's, an older serial
      than the last, and what another registration has. With --challenge or --new the registration is made if it
      is not there: for a person who has just logged in, and no one else, or a lost phone comes back. Without
      --registration the name is the identity's, and it is made if need be. The file is one of recipients for seal.
      With --senders: reads a set from keys sign-senders, and keeps it in the file if the root signed it for the
      topic and it is not older than the one that is kept.
      Prints a line of JSON: {"change","registration","identity","serial","keys"} or {"change","serial","keys"};
      change is registered, updated or unchanged. What is refused is said by its reason, with exit status 65.
      """,
    options: [
      .optional(
        "--registrations", "FILE", "the backend's registrations; made if it is not there", file: .input),
      .optional("--registration", "NAME", "whose enrolment it is, by the app's own login"),
      .flag("--new", "make the registration if it is not there"),
      .optional("--challenge", "TEXT", "what the device was asked to sign"),
      .optional("--senders", "FILE", "the set that the device has; made if it is not there", file: .input),
      .root,
      .optional("--topic", "ID", "the app's bundle id; one for another app is refused"), .input,
      .flag("--dry-run", "change nothing; print what would be done"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let line: JSONObject
    switch (arguments["--registrations"], arguments["--senders"]) {
    case (let path?, nil): line = try acceptEnrolment(path, arguments)
    case (nil, let path?): line = try acceptSenders(path, arguments)
    default: throw .usage("give either --registrations FILE or --senders FILE")
    }
    try console.print(String(decoding: line.encoded(), as: UTF8.self) + "\n")
  }

  private static func acceptEnrolment(_ path: String, _ arguments: Arguments) throws(ToolError) -> JSONObject
  {
    let topic = arguments["--topic"] == nil ? nil : try arguments.topic()
    let challenge = try arguments.challenge()
    let json = try FileInput.read(arguments["--in"])
    let enrolment = try Continuity.refusing("the enrolment") { () throws(SignedSetError) in
      try Enrolment(parsing: json.span, for: topic, challenge: challenge)
    }
    let name = arguments["--registration"] ?? enrolment.identity.thumbprint.text
    guard Registration(name, enrolment) != nil else {
      throw .usage("--registration is 1 to 255 bytes without control characters")
    }
    let mayBeNew = challenge != nil || arguments.has("--new") || arguments["--registration"] == nil
    let change = try Continuity.update(path, isDryRun: arguments.has("--dry-run")) {
      (registrations) throws(SignedSetError) in
      mayBeNew ? try registrations.accept(enrolment, as: name) : try registrations.update(enrolment, as: name)
    }
    return [
      "change": .string(change.rawValue), "registration": .string(name),
      "identity": .string(enrolment.identity.thumbprint.text),
      "serial": .number(JSONNumber(enrolment.serial)), "keys": Continuity.names(enrolment.keys),
    ]
  }

  private static func acceptSenders(_ path: String, _ arguments: Arguments) throws(ToolError) -> JSONObject {
    guard let root = arguments["--root"] else { throw .usage("--senders needs --root FILE") }
    let (roots, topic) = (try Keys.loadRoots(root), try arguments.topic())
    guard try Continuity.mayBeReplaced(path) else {
      throw ToolError(
        .cannotCreate, "\(path) is there and is no signed set",
        hint: "--senders is where the device keeps its set; what is to be taken is --in")
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
      case .file(let error): throw SignedSetText.failure(error, path)
      case .refused(let error): throw SignedSetText.refusal(error, "the set")
      }
    }
    return [
      "change": .string(change.rawValue), "serial": .number(JSONNumber(set.serial)),
      "keys": Continuity.names(set.keys),
    ]
  }
}
