import PushEnvelope
import PushKeys

extension Command {
  static let keysEnrol = Command(
    name: ["keys", "enrol"], summary: "sign a device's public keys, for its backend",
    details: """
      Prints what an app sends to its backend: one line of JSON with the device's address at APNs and its active
      keys, signed by its identity. The identity is a key file of its own beside the device's, and is made if it
      is not there: a backend pins it, so keep it as long as the device. Each enrolment has a greater serial than
      the one before. The backend's side is keys accept.
      """,
    options: [
      .keys,
      .optional("--identity", "FILE", "the identity's key file, in that folder; default: identity.jwks"),
      .topic, .required("--token", "HEX", "the app's device token"),
      .optional("--environment", "NAME", "the token's: production (default) or sandbox"),
      .optional("--challenge", "TEXT", "what the backend asked to be signed"), .output, .force,
      .flag("--dry-run", "sign nothing; say what would be"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file("--keys")
    let address = DeviceAddress(
      topic: try arguments.topic(), environment: try arguments.environment(), token: try arguments.token())
    let (challenge, now) = (try arguments.challenge(), try arguments.now())
    let (output, replaces) = (arguments["--out"], arguments.has("--force"))
    let folder = try DeviceFolder(path, identity: arguments["--identity"])
    let keys = try Keys.load(path, arguments)
    guard keys.role == .device else { throw Keys.describe(.keySet(.wrongRole), path) }
    try FileOutput.check(output, replaces: replaces)
    let isNew = PathEntry(at: folder.identityPath) == .nothing
    guard !arguments.has("--dry-run") else {
      let active = keys.records.count { $0.life.status == .active }
      if isNew { console.note("would make \(folder.identityPath)") }
      return console.note("dry run: would sign \(active) key\(active == 1 ? "" : "s") of \(path)")
    }
    let enrolment = try folder.open(arguments) { (folder) throws(KeyFileError) in
      try folder.enrol(at: address, challenge: challenge, now: now)
    }
    if isNew { console.note("made \(folder.identityPath): the backend will know the device by it") }
    console.note("signed the keys of \(path) with serial \(enrolment.serial)")
    try FileOutput.write(enrolment.encoded() + [UInt8(ascii: "\n")], to: output, replaces: replaces, console)
  }
}
