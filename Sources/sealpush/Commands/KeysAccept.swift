import PushEnvelope
import PushKeys
import PushPayload

extension Command {
  static let keysAccept = Command(
    name: ["keys", "accept"], summary: "accept an enrolment (backend) or a signed sender set (device)",
    details: """
      With --registrations: reads an enrolment from keys enrol, and stores the device's keys and address under the
      registration. Rejected are unsigned enrolments, enrolments signed by another identity than the
      registration's, a serial lower than the last one, and an identity, token or key that another registration
      has. --challenge or --new creates the registration if it does not exist: use them only for a person who has
      just logged in, or a lost phone could register itself again. Without --registration the name is the
      identity's, and the registration is created if necessary. The file is also what seal --recipients reads.
      With --senders: reads a set from keys sign-senders, and stores it in the file if the root signed it for the
      topic and it is not older than the stored set.
      A newer set is stored even if it has ended, because it may remove a key.
      Prints a line of JSON: {"change","registration","identity","serial","keys"} or
      {"change","serial","expires","keys"}; change is registered, updated or unchanged; expires, when the set
      ends, is in Unix seconds. If the input is rejected, the error gives the reason and the exit status is 65.
      """,
    options: [
      .optional(
        "--registrations", "FILE", "the backend's registrations; created if it does not exist", file: .input),
      .optional("--registration", "NAME", "whose enrolment it is, according to the app's own login"),
      .flag("--new", "create the registration if it does not exist"),
      .optional("--challenge", "TEXT", "the challenge that the device had to sign"),
      .optional("--senders", "FILE", "the device's stored set; created if it does not exist", file: .input),
      .root,
      .optional("--topic", "ID", "the app's bundle ID; an enrolment for another app is rejected"), .input,
      .flag("--dry-run", "change nothing; print what would change"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let line: JSONObject
    switch (arguments["--registrations"], arguments["--senders"]) {
    case (let path?, nil): line = try acceptEnrolment(path, arguments)
    case (nil, let path?): line = try acceptSenders(path, arguments)
    default: throw .usage("give either --registrations FILE or --senders FILE")
    }
    try console.print(line.jsonLine)
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
      case .file(let error): throw SignedSetText.failure(error, path)
      case .refused(let error): throw SignedSetText.refusal(error, "the set")
      }
    }
    return [
      "change": .string(change.rawValue), "serial": .number(JSONNumber(set.serial)),
      "expires": .number(JSONNumber(set.expiresAt.seconds)), "keys": Continuity.names(set.keys),
    ]
  }
}
