import PushEnvelope
import PushKeys

extension Command {
  static let keysNew = Command(
    name: ["keys", "new"], summary: "make a key file for a device, a sender, or both sides",
    details: """
      The file is made with mode 0600 and never replaces another. A device opens what is sealed to it; a
      sender signs. Hand out the public half: sealpush keys export --keys FILE
      Shared keys seal and open. They have no public half: copy the file itself to the other side, where nobody
      else can read it. Whoever has it can do both, so a device's own keys are the better choice.
      """,
    options: [
      .required("--role", "device|sender|shared", "whose keys they are"),
      .required("--out", "FILE", "the file to make"),
      .optional("--suite", "NAME", "a device's suite: x25519-chachapoly (default) or p256-aesgcm"),
      .now,
    ]
  ) { (arguments, console) throws(ToolError) in
    guard let role = KeyRole(rawValue: try arguments.required("--role")) else {
      throw .usage("--role is device, sender or shared")
    }
    let suite = try arguments.suite()
    guard role == .device || suite == nil else {
      throw .usage("only a device's keys have a choice of suites")
    }
    guard suite != .sharedChaChaPoly else { throw .usage("shared keys are made with --role shared") }
    let path = try arguments.required("--out")
    guard path != "-" else { throw .usage("--out is a file: private keys are not printed") }
    let keys = KeySet(generating: role, suite: suite ?? .x25519ChaChaPoly, at: try arguments.now())
    do throws(KeyFileError) {
      try KeyFile(path: path).create(keys)
    } catch {
      throw FileOutput.describe(error, path, existing: "a key file is never replaced by a new one")
    }
    console.note(
      role == .shared
        ? "made \(path); copy it to the other side, where nobody else can read it"
        : "made \(path); hand out: sealpush keys export --keys \(path)")
  }
}
