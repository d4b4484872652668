import PushCore
import PushEnrolment
import PushKeys

extension Command {
  static let keysLeave = Command(
    name: ["keys", "leave"], summary: "sign that a device leaves its backend, before its keys are destroyed",
    details: """
      Prints what an app sends to its backend when its user signs out: a line of JSON, signed by the device's
      identity. It needs no login, so the app can send it later, when there is a connection. Run this command,
      destroy the device's key files, and keep the output until the backend has accepted it.

      Its serial is higher than those of all earlier enrolments, so none of them can register the device
      again. With several backends, sign one leave for each. On the backend, keys forget or sealpushd devices
      remove reads it.

      --audience is the backend's own name, as for keys enrol.
      """,
    examples: [
      """
      sealpush keys leave --keys device.jwks --topic com.example.app --audience https://push.example.com \\
          --out leave.json --force
      """
    ],
    options: [
      .keys,
      .optional(.identity, "the identity's key file, in the folder of --keys; default: identity.jwks"),
      .topic, .audience, .output, .force,
      .flag(.dryRun, "sign nothing; print what would be signed"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file(.keys)
    let (topic, audience) = (try arguments.required(.topic), try arguments.required(.audience))
    let now = try arguments.now()
    let folder = try DeviceFolder(path: path, identity: arguments[.identity])
    let output = try FileOutput(path: arguments[.output], replaces: arguments.has(.force))
    guard FileStatus.isThere(folder.identityPath) else {
      throw ToolError(
        .noInput, "there is no \(folder.identityPath)",
        hint: "a device without an identity has never enrolled")
    }
    guard !arguments.has(.dryRun) else {
      return console.note("dry run: would sign with \(folder.identityPath)")
    }
    let leave = try folder.open(passphrase: arguments.passphrase) { (folder) throws(KeyFileError) in
      try folder.leave(topic, for: audience, at: now)
    }
    guard let leave else { throw ToolError(.noInput, "there is no \(path)") }
    console.note("signed with \(folder.identityPath), serial \(leave.serial)")
    try output.write(leave.encoded() + [UInt8(ascii: "\n")], as: .json, console: console)
  }
}
