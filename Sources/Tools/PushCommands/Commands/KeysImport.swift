import PushCore
import PushFiles
import PushKeys

extension Command {
  static let keysImport = Command(
    name: ["keys", "import"], summary: "import a private key from another program",
    details: """
      The key becomes the active one; the previous active key stays accepted for the grace period. The key file is
      created if it does not exist. PEM means PKCS#8 without a password; it has no form for xwing-aesgcm. Use a key
      for one purpose only: do not import a key that is used for anything else. The public set is not printed; keys
      export writes it.
      """,
    examples: [
      "sealpush keys import --keys device.jwks --role device --format pem --in key.pem --suite p256-aesgcm"
    ],
    options: [
      .keys, .required("--role", value: "device|sender", "whose key it is"),
      .required("--format", value: "jwk|pem|raw", "the key's format"),
      .required("--in", value: "FILE|-", "the input", file: .input),
      .deviceSuite, .grace,
      .flag("--dry-run", "change nothing; list what the file would contain"), .now,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file("--keys")
    guard let format = try arguments.format() else { throw .usage("--format is missing") }
    guard format != .pem || arguments["--suite"] != Suite.xwingAESGCM.name else {
      throw ToolError(
        .badData, "pem has no form for keys of xwing-aesgcm: PKCS#8 as OpenSSL writes ML-KEM does not fit",
        hint: "import it with --format jwk, or its seed of 32 bytes with --format raw")
    }
    let (algorithm, grace, now) = (try algorithm(from: arguments), try arguments.grace(), try arguments.now())
    let key = try PrivateKeys.read(from: try arguments.required("--in"), as: format, algorithm: algorithm)
    let hint = "distribute it: sealpush keys export --keys \(ShellWord.quoted(path))"
    let change = KeyChange(path: path, arguments: arguments)
    guard FileStatus.isThere(path) else {
      let keys = KeySet(importing: key, at: now)
      let file = KeyFile(path: path, passphrase: arguments.passphrase)
      do throws(KeyFileError) {
        if change.isDryRun { try file.rehearseCreation() } else { try file.create(keys) }
      } catch {
        throw KeyFileFailure.writing(error, existing: "try again")
      }
      if change.isDryRun { return try change.reportDryRun(keys: keys, console: console) }
      return console.note("made \(path) with \(key.thumbprint.text); \(hint)")
    }
    let (_, keys) = try change.make { (editor) throws(KeySetError) in
      try editor.importKey(key, grace: grace, at: now)
    }
    if change.isDryRun { return try change.reportDryRun(keys: keys.keySet, console: console) }
    console.note("added \(key.thumbprint.text) to \(path); \(hint)")
  }

  private static func algorithm(from arguments: Arguments) throws(ToolError) -> KeyAlgorithm {
    switch arguments["--role"] {
    case "device":
      guard try arguments.suite() != .sharedChaChaPoly else {
        throw .usage("shared keys are not imported: copy their file")
      }
      return KeyAlgorithm(suite: try arguments.deviceSuite() ?? .x25519ChaChaPoly)
    case "sender":
      guard arguments["--suite"] == nil else { throw .usage("only a device's keys have a choice of suite") }
      return .ed25519
    default: throw .usage("--role is device or sender")
    }
  }
}
