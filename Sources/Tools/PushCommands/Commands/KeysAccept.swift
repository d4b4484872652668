import PushCore
import PushEnrolment
import PushKeys
import PushSealer

extension Command {
  static let keysAccept = Command(
    name: ["keys", "accept"], summary: "accept an enrolment (backend) or a signed sender set (device)",
    details: """
      With --registrations (on a backend): reads an enrolment from keys enrol, and stores the device's keys
      and address under the registration. seal --recipients reads the same file. An enrolment is rejected if
      it:

        is not signed, or is for another audience
        is signed by another identity than the registration's
        is older than the last one, by its serial
        has an identity, a token or a key that another registration has proven

      --challenge or --new creates the registration if it does not exist. Use them only for a person who has
      just logged in, or a lost phone could register itself again. With --challenge, which must be new for
      this login and this registration, the device may also claim what another registration has proven, and an
      erased phone may enrol under its old name. The other registration loses nothing until the device has
      proven its claim.

      An existing registration may claim a token without a login, because tokens change. Without
      --registration, the identity is the registration's name, and the registration is created if necessary.

      --person stores your name for the device's owner, so that lines of seal --lines can name a person. Once
      it is stored, only a login changes it. --join adds the person to those who share the device (16 at
      most), if the challenge was given for that.

      A new key or token is pending until the device has proven that it has both; the exit status is then 75.
      Push the proof request to the token, in a background push: the JSON below contains the request with its
      headers, and --request writes its payload. The device answers with keys enrol --answer; accept that
      answer, too. Until then, messages are sealed to the keys that were proven before. --key-alone requests a
      proof of the key only: return the request to the device in your answer.

      A key cannot be proven here if this system's libraries do not have its suite: "waiting" names it, and
      the device proves it when an enrolment reaches a system that has the suite.

      With --senders (on a device): reads a set from keys sign-senders, and stores it in the file if the root
      signed it for the topic and it is not older than the stored set. A newer set is stored even if it has
      ended, because it may remove a key.

      Prints a line of JSON. For an enrolment it is {"change","registration","identity","serial","keys"},
      where change is registered, updated, unchanged or pending. It has "person" if the person is known
      ("persons", an array, if there are several), and with --person also "account", the tag of that person's
      account, which the app needs. For a set it is {"change","serial","expires","keys"}, where expires is in
      Unix seconds.

      If the change is pending, there is also "request": {"device_token","environment","headers",
      "is_proof_request","payload"}. With --key-alone it has the payload only; with --dry-run there is no
      "request". is_proof_request is true: the token may not exist, so a refusal by APNs says nothing about
      your route. For an Android device, which --service fcm accepts, the request is {"service",
      "device_token","message","is_proof_request","payload"}: send the message through FCM; its data is the
      payload.

      If the input is rejected, the error gives the reason, and the exit status is 65.
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
      .optional(.registrations, "the backend's registrations; created if it does not exist"),
      .optional(.registration, "whose enrolment it is, according to the app's own login"),
      .optional(.person, "your name for the device's owner; default: unchanged"),
      .optional(.audience, "this backend's own name, which the enrolment must have"),
      .keySource(.from, "the sender's private key file, which signs proof requests", isRequired: false)
        .configurable(.with(.registrations)),
      .keyDescriptor(.from),
      .optional(.request, "where to write the payload of a proof request"),
      .force,
      .optional(.service, "with fcm: accept Android devices, too; default: only devices of APNs")
        .offering(["fcm"]),
      .flag(.keyAlone, "request a proof of the key only, not of the token"), .envelopeKey,
      .flag(.new, "create the registration if it does not exist"),
      .optional(.challenge, "the challenge that the device had to sign"),
      .flag(.join, "let the person join those who have the device; needs --challenge"),
      .optional(.senders, "the device's stored set; created if it does not exist"),
      .root,
      .optional(.topic, "the app's bundle ID; an enrolment for another app is rejected")
        .configurable(.with(.senders)), .input,
      .flag(.dryRun, "change nothing; print what would change"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    switch (arguments[.registrations], arguments[.senders]) {
    case (let path?, nil): try acceptEnrolment(at: path, arguments: arguments, console: console)
    case (nil, let path?): try print(try acceptSenders(at: path, arguments: arguments), console: console)
    default: throw .usage("give either \(Option.registrations) FILE or \(Option.senders) FILE")
    }
  }

  private static func print(_ line: JSONObject, console: Console) throws(ToolError) {
    try console.print(line.jsonLine)
  }

  private static func acceptEnrolment(
    at path: String, arguments: Arguments, console: Console
  ) throws(ToolError) {
    let from = SourceOptions.from
    for (name, isGiven) in [
      (Option.audience.name, arguments.isGiven(.audience)),
      (from.file.name, arguments.isGiven(from.file) || arguments.isGiven(from.descriptor)),
    ] where !isGiven {
      throw .usage("\(Option.registrations) needs \(name)", hint: "sealpush keys accept --help")
    }
    let offer = try EnrolmentOffer(from: arguments)
    let isDryRun = arguments.has(.dryRun)
    let (outcome, persons) = try Continuity.update(path, isDryRun: isDryRun) {
      (registrations) throws(SignedSetError) -> (EnrolmentOutcome, [String]) in
      let outcome = try registrations.accept(
        offer.enrolment, as: offer.name, person: offer.person, login: offer.login,
        proving: offer.possession)
      return (outcome, registrations[offer.name]?.persons ?? [])
    }
    try offer.report(outcome, persons: persons, isDryRun: isDryRun, console: console)
  }

  private static func acceptSenders(at path: String, arguments: Arguments) throws(ToolError) -> JSONObject {
    guard let root = try PinnedRoot(parsing: arguments) else {
      throw .usage("\(Option.senders) needs \(Option.root) FILE")
    }
    let (roots, topic) = (try Keys.loadRoots(from: root.path), root.topic)
    guard try Continuity.mayBeReplaced(path) else {
      throw ToolError(
        .cannotCreate, "\(path) exists and is not a signed set",
        hint: "--senders is the device's stored set; the new set is --in")
    }
    let text = Continuity.text(of: try FileInput.read(from: arguments[.input]))
    let set = try Continuity.refusing("the set") { () throws(SignedSetError) in
      try SenderKeySet(parsing: text.span, roots: roots, topic: topic)
    }
    let file = SenderKeyFile(path: path, roots: roots, topic: topic)
    let isUpdated: Bool
    do throws(SenderKeyFileError) {
      isUpdated = arguments.has(.dryRun) ? try file.check(set) : try file.accept(set)
    } catch {
      switch error {
      case .file(let error, _): throw SignedSetText.failure(for: error, at: path)
      case .refused(let error, _): throw SignedSetText.refusal(for: error, of: "the set")
      }
    }
    return [
      "change": .string(isUpdated ? "updated" : "unchanged"), "serial": .number(JSONNumber(set.serial)),
      "expires": .number(JSONNumber(set.expiresAt.seconds)), "keys": Continuity.names(of: set.keys),
    ]
  }
}
