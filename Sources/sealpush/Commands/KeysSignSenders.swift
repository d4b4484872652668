import PushEnvelope
import PushKeys

extension Command {
  static let keysSignSenders = Command(
    name: ["keys", "sign-senders"], summary: "sign the senders' public keys with the root, for devices",
    details: """
      Prints the set that devices trust, as ASCII text. A newer set replaces an older one, never the reverse. The
      root's file is needed only here: keep it offline, carry the senders' public set to it, and the signed set
      back. Build its public half, from keys export, into the app. The set includes the key that the next rotation
      will sign with, so there is no hurry: sign after each rotation. Devices accept the set through keys accept
      or SenderKeyFile. Check the key names on the offline machine: the machine that the set comes from is exactly
      what the root protects against.
      """,
    options: [
      .required("--keys", "FILE", "the root's key file", file: .input),
      .required(
        "--senders", "FILE", "the senders' public set, from keys rotate or keys export", file: .input),
      .topic,
      .optional(
        "--serial", "N", "the set's number; default: the last one plus 1, or the Unix time if greater"),
      .output, .force, .flag("--dry-run", "sign nothing; print what would be signed"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file("--keys")
    let (topic, serial, now) = (try arguments.topic(), try arguments.serial(), try arguments.now())
    let senders = try Keys.loadPublic(try arguments.required("--senders"))
    let output = try FileOutput(arguments["--out"], replaces: arguments.has("--force"))
    let sign = { (editor: inout KeySetEditor) throws(KeySetError) in
      try editor.signSenders(senders, for: topic, serial: serial, at: now)
    }
    guard !arguments.has("--dry-run") else {
      var editor = KeySetEditor(try Keys.load(path, arguments))
      do throws(KeySetError) {
        let signed = try sign(&editor)
        console.note("dry run: would sign, with serial \(signed.serial):")
        return Continuity.list(senders, console)
      } catch {
        throw KeyFileFailure.describe(.keySet(error), path)
      }
    }
    let signed = try Keys.update(path, arguments, sign)
    console.note("signed for \(topic.text), with serial \(signed.serial):")
    Continuity.list(senders, console)
    try output.write(Array("\(signed.text)\n".utf8), as: .text, console)
  }
}
