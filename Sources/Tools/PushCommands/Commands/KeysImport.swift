import PushCore
import PushFiles
import PushKeys

extension Command {
  static let keysImport = Command(
    name: ["keys", "import"], summary: "import a private key from another program",
    details: """
      The imported key becomes the active one; the previous active key stays accepted for the grace period.
      The key file is created if it does not exist. PEM means PKCS#8 without a password; it has no form for
      xwing-aesgcm. The public set is not printed: keys export writes it.

      Use a key for one purpose only: do not import a key that is used for anything else.
      """,
    examples: [
      "sealpush keys import --keys device.jwks --role device --format pem --in key.pem --suite p256-aesgcm"
    ],
    options: [
      .keys, .required(.importedRole, "whose key it is"),
      .required(.keyFormat, "the key's format"),
      .required(.input, "the input"),
      .deviceSuite, .grace,
      .flag(.dryRun, "change nothing; list what the file would contain"), .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file(.keys)
    let format = try arguments.required(.keyFormat)
    guard format != .pem || arguments.text(of: .suite) != Suite.xwingAESGCM.name else {
      throw ToolError(
        .badData, "pem has no form for keys of xwing-aesgcm: OpenSSL's PKCS#8 for ML-KEM does not fit",
        hint: "import it with --format jwk, or its seed of 32 bytes with --format raw")
    }
    let (algorithm, grace, now) = (
      try algorithm(from: arguments), try arguments[.grace] ?? KeySetEditor.minimumGrace, try arguments.now()
    )
    let key = try PrivateKeys.read(from: try arguments.required(.input), as: format, algorithm: algorithm)
    let hint = "distribute it: sealpush keys export --keys \(ShellWord.quoted(path))"
    let change = KeyChange(path: path, parsing: arguments)
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
    switch try arguments.required(.importedRole) {
    case .device:
      guard try arguments[.suite] != .sharedChaChaPoly else {
        throw .usage("shared keys are not imported: copy their file")
      }
      return KeyAlgorithm(suite: try arguments.deviceSuite() ?? .x25519ChaChaPoly)
    case .sender:
      guard !arguments.isGiven(.suite) else { throw .usage("only a device's keys have a choice of suite") }
      return .ed25519
    }
  }
}

/// Whose keys can be imported.
private enum ImportedRole: String, CaseIterable {
  case device, sender
}

extension Option<ImportedRole> {
  fileprivate static var importedRole: Self { Self("--role", "device|sender", rule: "device or sender") }
}
