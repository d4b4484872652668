import PushKeys

extension Command {
  static let keysExport = Command(
    name: ["keys", "export"], summary: "write the public half of a key file, to hand out",
    details: """
      Writes a JWK Set (RFC 7517): of a device the active keys, to seal to; of a sender the active and the
      accepted ones, to check signatures with. Shared keys have no public half: copy the file itself to the
      other side, where nobody else can read it.
      """,
    options: [.keys, .output, .force] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    let publicKeys = try Keys.publicHalf(of: try Keys.load(path, arguments), path)
    try FileOutput.write(
      publicKeys.encoded(), to: arguments["--out"], replaces: arguments.has("--force"), console)
  }
}
