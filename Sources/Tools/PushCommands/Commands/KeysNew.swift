import PushCore
import PushKeys

extension Command {
  static let keysNew = Command(
    name: ["keys", "new"], summary: "make a key file for a device, a sender or another role",
    details: """
      Creates the file with mode 0600; it never replaces another file. A device's keys open what is sealed to
      them; a sender's keys sign. Afterwards, distribute the public half: sealpush keys export --keys FILE

      An identity signs for a device's keys (keys enrol makes one), and a root signs for senders' keys (keys
      sign-senders). Keep a root's file offline, and build its public half into the app.

      With the suite xwing-aesgcm, a quantum computer cannot open messages that are recorded today. The suite
      needs OpenSSL 3.5 or later. keys add adds a key for it to an existing file.

      Shared keys both seal and open. They have no public half: copy the file itself to the other side, where
      nobody else can read it. Anyone who has the file can do both, so prefer a device's own keys.

      With a passphrase the file is encrypted. Commands that open it ask for the passphrase, or read it
      through --passphrase-file or --passphrase-fd.
      """,
    examples: [
      "sealpush keys new --role device --out device.jwks",
      "sealpush keys new --role sender --out sender.jwks --passphrase-file passphrase",
    ],
    options: [
      .required(.role, "whose keys they are: device, sender, shared, identity or root"),
      .required(.newFile, "the file to create"),
      .deviceSuite,
      .flag(.passphrase, "encrypt the file; asks twice for a passphrase, unless an option provides it"),
      .now,
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let role = try arguments.required(.role)
    guard role == .device || !arguments.isGiven(.suite) else {
      throw .usage("only a device's keys have a choice of suite")
    }
    let suite = try arguments.deviceSuite()
    let path = try arguments.required(.newFile)
    guard path != "-" else { throw .usage("\(Option.newFile) must be a file: private keys are not printed") }
    let passphrase = try newPassphrase(from: arguments, for: path)
    let now = try arguments.now()
    let keys = try Keys.found(at: path) { () throws(KeySetError) in
      try KeySet(generating: role, suite: suite ?? .x25519ChaChaPoly, at: now)
    }
    do throws(KeyFileError) {
      try KeyFile(path: path, passphrase: passphrase).create(keys)
    } catch {
      throw KeyFileFailure.writing(error, existing: "key files are never replaced")
    }
    console.note("made \(path); \(advice(for: role, at: path))")
  }

  /// What to do with a new file.
  private static func advice(for role: KeyRole, at path: String) -> String {
    let export = "sealpush keys export --keys \(ShellWord.quoted(path))"
    return switch role {
    case .shared: "copy it to the other side, where nobody else can read it"
    case .root: "keep it offline, and build its public half into the app: \(export)"
    case .identity: "keep it on the device"
    case .device, .sender: "distribute it: \(export)"
    }
  }

  /// The passphrase of a new file; nil if it is not to be encrypted.
  private static func newPassphrase(
    from arguments: Arguments, for path: String
  ) throws(ToolError) -> Passphrase? {
    guard arguments.passphrase == nil, arguments.has(.passphrase) else { return arguments.passphrase }
    // Before a person types the passphrase.
    _ = try FileOutput(path: path, replaces: false, existing: "key files are never replaced")
    return try PassphrasePrompt.askForNew(for: path, hint: KeyFileFailure.passphraseSources)
  }
}

extension Option<KeyRole> {
  static var role: Self {
    let roles: [KeyRole] = [.device, .sender, .shared, .identity, .root]
    return Self(
      "--role", "ROLE", rule: "device, sender, shared, identity or root", choices: roles.map(\.rawValue),
      read: KeyRole.init(rawValue:))
  }
}

extension Flag {
  static let passphrase = Flag("--passphrase")
}
