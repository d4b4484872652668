internal import PushCommands
internal import PushEnrolment
internal import PushKeys
internal import PushStore

extension Command {
  static let devicesAccept = Command(
    of: "sealpushd", name: ["devices", "accept"], summary: "accept an enrolment into a store",
    details: """
      Reads an enrolment, as an app or sealpush keys enrol makes it, and stores the device's keys and address.
      The rules are those of sealpush keys accept, whose help explains them. --new or --challenge creates the
      registration if it does not exist: use them only for a person who has just logged in.

      It prints a line of JSON, like keys accept. A new key or token is pending until the device has proven
      it: the line then has a request to push to the device, and the exit status is 75. A worker with
      --audience does all of this for the enrolments that an application inserts.
      """,
    examples: [
      """
      sealpushd devices accept --store push.sqlite --registration ada-1 --person ada --new \\
          --audience https://push.example.com --from sender.jwks --in enrolment.json
      """
    ],
    options: [
      .store,
      .optional(.registration, "whose enrolment it is, according to the app's own login"),
      .optional(.person, "your name for the device's owner; default: unchanged"), .audience,
      .keySource(.from, "the sender's private key file, which signs proof requests"),
      .keyDescriptor(.from),
      .optional(.request, "where to write the payload of a proof request"),
      .force,
      .flag(.keyAlone, "request a proof of the key only, not of the token"), .envelopeKey,
      .flag(.new, "create the registration if it does not exist"),
      .optional(.challenge, "the challenge that the device had to sign"),
      .flag(.join, "let the person join those who have the device; needs --challenge"),
      .optional(.topic, "the app's bundle ID; an enrolment for another app is rejected"),
      .rowKey, .input,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let (place, rowKey) = (try StorePlace(from: arguments), try arguments.rowKey())
    let offer = try EnrolmentOffer(from: arguments)
    let store = try await place.open(making: true, rowKey: rowKey, console: console)
    let result = try await storing { () async throws(StoreError) in
      try await store.accept(
        offer.enrolment, as: offer.name, person: offer.person, login: offer.login,
        proving: offer.possession)
    }
    let acceptance: EnrolmentOutcome
    do throws(SignedSetError) { acceptance = try result.get() } catch { throw offer.refusal(for: error) }
    let persons = try await storing { () async throws(StoreError) in
      try await store.registration(named: offer.name)?.registration.persons ?? []
    }
    try offer.report(acceptance, persons: persons, console: console)
  }
}
