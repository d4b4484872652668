import PushCore
import PushFiles
import PushKeys

extension Command {
  static let keysExport = Command(
    name: ["keys", "export"], summary: "write the public half of a key file, to distribute",
    details: """
      Writes a JWK Set (RFC 7517). A device's set has its active keys, to seal to; a sender's set has its
      active and accepted keys, to verify signatures. Shared keys have no public half: copy the file itself to
      the other side, where nobody else can read it.

      With --format it writes one key for other programs: as a JWK, as PEM (SubjectPublicKeyInfo; with
      --private, PKCS#8 without a password) or as raw bytes. PEM has no form for xwing-aesgcm. A private key
      is written only to a file that only its owner can read, never to standard output.

      With --merge, the keys of other senders or roots that --out FILE already contains are kept, after this
      file's keys. Only this file's outdated keys and the key that --without names are removed. --beside does
      the same with the keys of another file, which does not change; with --root, that file is a signed set.
      """,
    examples: [
      "sealpush keys export --keys device.jwks --out device.pub.jwks --force",
      "sealpush keys export --keys sender.jwks --out all.pub.jwks --merge --force",
    ],
    options: [
      .readKeys, .keyDescriptor(.keys), .output, .force,
      .optional(.keyFormat, "write one key instead of a set"),
      .optional(.kid, "which key, by its name in keys list; default: the only active one"),
      .flag(.privateKey, "write the private key, to --out FILE"),
      .flag(.merge, "keep the keys of others that --out FILE contains; needs --force"),
      .optional(.beside, "keep the keys of others that this set contains")
        .without(.merge),
      .optional(.without, "with --merge or --beside: a key to remove, by its name"),
      .root, .optional(.topic, "with --root: the app's bundle ID"),
    ] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let source = try KeySource(required: .keys, from: arguments)
    let path = source.name
    let replaces = arguments.has(.force)
    guard let format = try arguments[.keyFormat] else {
      guard !arguments.isGiven(.kid), !arguments.has(.privateKey) else {
        throw .usage("\(Option.kid) and \(Flag.privateKey) need \(Option.keyFormat) jwk, pem or raw")
      }
      let publicKeys = try publicKeys(
        of: try Keys.load(from: source, passphrase: arguments.passphrase), at: path, arguments: arguments)
      return try FileOutput(path: arguments[.output], replaces: replaces).write(
        publicKeys.encoded(), as: .json, console: console)
    }
    guard !arguments.has(.merge), arguments[.beside] == nil, !arguments.isGiven(.without) else {
      throw .usage(
        "\(Flag.merge), \(Option.beside) and \(Option.without) apply to a set, not to one key with \(Option.keyFormat)"
      )
    }
    guard !arguments.has(.privateKey) || arguments[.output].map({ $0 != "-" }) == true else {
      throw .usage("\(Flag.privateKey) needs \(Option.output) FILE: private keys are not printed")
    }
    let key = try key(
      of: try Keys.load(from: source, passphrase: arguments.passphrase), kid: try arguments[.kid], at: path)
    guard arguments.has(.privateKey) else {
      guard let bytes = key.publicKey.encoded(as: format) else { throw noForm(of: key.algorithm, as: format) }
      return try FileOutput(path: arguments[.output], replaces: replaces).write(
        bytes, as: .text, console: console)
    }
    let output = try arguments.file(.output)
    guard try FileOutput(path: output, replaces: replaces).write(key, as: format) else {
      throw noForm(of: key.algorithm, as: format)
    }
    console.warn(
      "\(output) contains the private key \(key.thumbprint.text): anyone who reads it can open or sign")
  }

  /// The set to distribute, with the keys of others that stay in the output.
  private static func publicKeys(
    of keys: KeySet, at path: String, arguments: Arguments
  ) throws(ToolError) -> PublicKeySet {
    let gone = try arguments[.without]
    guard arguments[.root] == nil || arguments[.beside] != nil else {
      throw .usage("\(Option.root) needs \(Option.beside) FILE, a signed set")
    }
    guard arguments.has(.merge) || arguments[.beside] != nil else {
      guard gone == nil else { throw .usage("\(Option.without) needs \(Flag.merge) or \(Option.beside)") }
      return try Keys.publicHalf(of: keys, at: path)
    }
    let other: String
    if let beside = arguments[.beside] { other = beside } else { other = try arguments.file(.output) }
    guard keys.role == .sender || keys.role == .root else {
      throw .usage(
        "\(Flag.merge) and \(Option.beside) are for senders' or roots' keys: a device's public set has only its own"
      )
    }
    guard arguments[.beside] != nil || FileStatus.isThere(other) else {
      return try Keys.publicHalf(of: keys, at: path)
    }
    let copy =
      try arguments[.root] == nil
      ? Keys.loadUnsigned(from: other)
      : Keys.loadSenders(from: other, root: try PinnedRoot(parsing: arguments)).keys
    do throws(KeySetError) {
      return try keys.publicKeys(beside: copy, without: gone)
    } catch {
      throw KeyFileFailure.describe(error, at: other)
    }
  }

  private static func noForm(of algorithm: KeyAlgorithm, as format: KeyFormat) -> ToolError {
    ToolError(
      .badData, "\(format.rawValue) has no form for keys of \(algorithm.rawValue)",
      hint: "export it with --format jwk")
  }

  private static func key(of keys: KeySet, kid: Thumbprint?, at path: String) throws(ToolError) -> PrivateKey
  {
    guard keys.role != .shared else { throw KeyFileFailure.describe(.noPublicHalf, at: path) }
    let active = keys.records.filter { $0.life.status == .active }
    guard let id = kid ?? (active.count == 1 ? active.first?.id : nil) else {
      throw .usage(
        "\(path) has several active keys: choose one with \(Option.kid)",
        hint: "sealpush keys list --keys \(ShellWord.quoted(path))")
    }
    guard let key = keys.privateKey(for: id) else { throw KeyFileFailure.describe(.noSuchKey, at: path) }
    return key
  }
}

extension Option<KeyFormat> {
  /// How a single key is written.
  static var keyFormat: Self { Self("--format", "jwk|pem|raw", rule: "jwk, pem or raw") }
}

extension Option<String> {
  fileprivate static var beside: Self { Self("--beside", "FILE", file: .input) }
}

extension Option<Thumbprint> {
  fileprivate static var without: Self { .key("--without") }
}

extension Flag {
  fileprivate static let privateKey = Flag("--private")
  fileprivate static let merge = Flag("--merge")
}
