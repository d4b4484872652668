import PushKeys

extension Command {
  static let keysExport = Command(
    name: ["keys", "export"], summary: "write the public half of a key file, to hand out",
    details: """
      Writes a JWK Set (RFC 7517): of a device the active keys, to seal to; of a sender the active and the
      accepted ones, to check signatures with.
      """,
    options: [.keys, .output, .force]
  ) { (arguments, console) throws(ToolError) in
    let keys = try Keys.load(try arguments.required("--keys"))
    try FileOutput.write(
      keys.publicKeys.encoded(), to: arguments["--out"], replaces: arguments.has("--force"), console)
  }
}
