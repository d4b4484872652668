import PushCore
import PushKeys

extension Command {
  static let keysAdd = Command(
    name: ["keys", "add"], summary: "add a key for another suite to a device's file",
    details: """
      The new key is active, like the file's other keys. Senders choose one of a device's suites, and prefer
      xwing-aesgcm if their system has it. Prints the new public JWK Set: distribute it, or enrol again.

      If the file already has a key for the suite, nothing changes, and the exit status is 65: use keys rotate
      to replace keys.

      xwing-aesgcm needs OpenSSL 3.5 or later. SealedPush 0.1.0 refuses a public set that has such a key, so
      update every backend first.
      """,
    examples: [
      "sealpush keys add --keys device.jwks --suite p256-aesgcm --out device.pub.jwks --force"
    ],
    options: [
      .keys,
      .required(.suite, "the suite: x25519-chachapoly, p256-aesgcm or xwing-aesgcm").offering(
        Parameter.ofDevices),
      .output, .force,
      .flag(.dryRun, "change nothing; list what the file would contain, with a sample key"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file(.keys)
    guard let suite = try arguments.deviceSuite() else { throw .usage("\(Option.suite) is missing") }
    let now = try arguments.now()
    let change = KeyChange(path: path, parsing: arguments)
    var other: KeyRole?
    do throws(ToolError) {
      let (record, keys) = try change.make { (editor) throws(KeySetError) -> KeyRecord in
        guard editor.keySet.role == .device else {
          other = editor.keySet.role
          throw .wrongRole
        }
        return try editor.add(suite, at: now)
      }
      try change.report("added \(record.id.text) to \(path)", keys: keys, console: console)
    } catch {
      throw other.map { KeyFileFailure.wrongRole($0, at: path, needed: "a device's") } ?? error
    }
  }
}
