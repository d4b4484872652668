import PushEnvelope
import PushKeys

extension Command {
  static let keysExport = Command(
    name: ["keys", "export"], summary: "write the public half of a key file, to hand out",
    details: """
      Writes a JWK Set (RFC 7517): of a device the active keys, to seal to; of a sender the active and the
      accepted ones, to check signatures with. Shared keys have no public half: copy the file itself to the
      other side, where nobody else can read it.
      With --format one key is written for other programs: a JWK, PEM (SubjectPublicKeyInfo; with --private
      PKCS#8 without a password) or bytes. A private key goes to a file of its owner's alone, never to standard
      output.
      """,
    options: [
      .keys, .output, .force, .optional("--format", "jwk|pem|raw", "write one key, and no set"),
      .optional("--kid", "NAME", "which, by its name in keys list; default: the only active one"),
      .flag("--private", "write the private key, to --out FILE"),
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    let replaces = arguments.has("--force")
    guard let format = try arguments.format() else {
      guard arguments["--kid"] == nil, !arguments.has("--private") else {
        throw .usage("--kid and --private need --format jwk, pem or raw")
      }
      let publicKeys = try Keys.publicHalf(of: try Keys.load(path, arguments), path)
      return try FileOutput.write(publicKeys.encoded(), to: arguments["--out"], replaces: replaces, console)
    }
    guard !arguments.has("--private") || arguments["--out"].map({ $0 != "-" }) == true else {
      throw .usage("--private needs --out FILE: private keys are not printed")
    }
    let key = try key(of: try Keys.load(path, arguments), try arguments.kid(), path)
    guard arguments.has("--private") else {
      let bytes = key.publicKey.encoded(as: format)
      return try FileOutput.write(bytes, to: arguments["--out"], replaces: replaces, console)
    }
    let output = try arguments.file("--out")
    try FileOutput.write(key, as: format, to: output, replaces: replaces)
    console.note("\(output) has the private key \(key.thumbprint.text): whoever reads it can open or sign")
  }

  private static func key(of keys: KeySet, _ kid: Thumbprint?, _ path: String) throws(ToolError) -> PrivateKey
  {
    guard keys.role != .shared else { throw Keys.describe(.keySet(.noPublicHalf), path) }
    let active = keys.records.filter { $0.life.status == .active }
    guard let id = kid ?? (active.count == 1 ? active.first?.id : nil) else {
      throw .usage(
        "\(path) has several active keys: --kid says which", hint: "sealpush keys list --keys \(path)")
    }
    guard let key = keys.privateKey(id) else { throw Keys.describe(.keySet(.noSuchKey), path) }
    return key
  }
}
