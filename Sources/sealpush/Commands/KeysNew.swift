import PushEnvelope
import PushKeys

extension Command {
  static let keysNew = Command(
    name: ["keys", "new"], summary: "make a key file for a device or a sender",
    details: """
      The file is made with mode 0600 and never replaces another. A device opens what is sealed to it; a
      sender signs. Hand out the public half: sealpush keys export --keys FILE
      """,
    options: [
      .required("--role", "device|sender", "whose keys they are"),
      .required("--out", "FILE", "the file to make"),
      .optional("--suite", "NAME", "a device's suite: x25519-chachapoly (default) or p256-aesgcm"),
      .now,
    ]
  ) { (arguments, console) throws(ToolError) in
    guard let role = KeyRole(rawValue: try arguments.required("--role")) else {
      throw .usage("--role is device or sender")
    }
    let suite = try arguments.suite()
    guard role == .device || suite == nil else { throw .usage("a sender's keys have no suite") }
    let path = try arguments.required("--out")
    guard path != "-" else { throw .usage("--out is a file: private keys are not printed") }
    let keys = KeySet(generating: role, suite: suite ?? .x25519ChaChaPoly, at: try arguments.now())
    do throws(KeyFileError) {
      try KeyFile(path: path).create(keys)
    } catch {
      throw FileOutput.describe(error, path, existing: "a key file is never replaced by a new one")
    }
    console.note("made \(path); hand out: sealpush keys export --keys \(path)")
  }
}
