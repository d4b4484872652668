import PushCore
import PushEnrolment
import PushKeys

extension Command {
  static let keysSignSenders = Command(
    name: ["keys", "sign-senders"], summary: "sign the senders' public keys with the root, for devices",
    details: """
      Prints the set of senders' keys that devices trust, as ASCII text. Devices accept it through keys accept
      or SenderKeyFile; a newer set replaces an older one, never the reverse.

      The root's file is needed only here: keep it offline, carry the senders' public set to it, and carry the
      signed set back. Build its public half, from keys export, into the app. Check the key names on the
      offline machine: the root protects against exactly the machine that the set comes from.

      The set includes the key that the next rotation will sign with, so there is no hurry: sign after each
      rotation.

      A set ends. A device that has no newer one then shows only the placeholder of messages that are sealed
      after --expires. So sign again in time, even if no key has changed; keys doctor warns 90 days before.
      With --root, --senders is the signed set itself, whose keys are signed again.
      """,
    examples: [
      """
      sealpush keys sign-senders --keys root.jwks --senders sender.pub.jwks \\
          --topic com.example.app --out senders.jws --force
      """
    ],
    options: [
      .required(.keys, "the root's key file"),
      .required(.senders, "the senders' public set, from keys rotate or keys export"),
      .root, .topic,
      .optional(.expires, "how long the set lasts; default: 400d"),
      .optional(.serial, "the set's number; default: the last one plus 1, or the Unix time if greater"),
      .output, .force, .flag(.dryRun, "sign nothing; print what would be signed"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file(.keys)
    let (topic, serial, now) = (try arguments.required(.topic), try arguments[.serial], try arguments.now())
    let expiresAt = try arguments.setEnd(from: now)
    let file = try arguments.required(.senders)
    let senders = try Keys.loadSenders(from: file, root: try PinnedRoot(parsing: arguments)).keys
    let output = try FileOutput(path: arguments[.output], replaces: arguments.has(.force))
    let sign = { (editor: inout KeySetEditor) throws(KeySetError) -> Result<SenderKeySet, ToolError> in
      let role = editor.keySet.role
      guard role == .root else {
        return .failure(KeyFileFailure.wrongRole(role, at: path, needed: "a root's"))
      }
      return .success(
        try editor.signSenders(senders, for: topic, serial: serial, expiresAt: expiresAt, at: now))
    }
    guard !arguments.has(.dryRun) else {
      let signed = try Keys.open(path, passphrase: arguments.passphrase) { (file) throws(KeyFileError) in
        try file.rehearse(sign).result
      }.get()
      console.note("dry run: would sign, with serial \(signed.serial), until \(signed.end):")
      return Continuity.list(senders, console: console)
    }
    let signed = try Keys.update(path, passphrase: arguments.passphrase, change: sign).get()
    console.note("signed for \(topic.text), with serial \(signed.serial), until \(signed.end):")
    Continuity.list(senders, console: console)
    try output.write(Array("\(signed.text)\n".utf8), as: .text, console: console)
  }
}

extension SenderKeySet {
  /// When the set ends, for people.
  fileprivate var end: String { expiresAt.calendarText }
}

extension Arguments {
  /// When the set ends; nil for the default.
  fileprivate func setEnd(from now: UnixTime) throws(ToolError) -> UnixTime? {
    guard let span = try self[.expires] else { return nil }
    guard span > .zero else { throw .usage("\(Option.expires) must be longer than 0, such as 400d") }
    return now.advanced(by: span)
  }
}

extension Option<Duration> {
  /// How long the set lasts.
  fileprivate static var expires: Self { .duration("--expires") }
}
