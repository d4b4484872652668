import PushEnvelope
import PushKeys
import PushPayload

extension Command {
  static let keysList = Command(
    name: ["keys", "list"], summary: "list the keys of a file",
    details: """
      An active key is the one that others seal to, or that signs. An accepted one still opens, or is still
      trusted, until its end; then prune destroys it. Times are UTC.
      """,
    options: [.keys, .json] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let keys = try Keys.load(try arguments.required("--keys"), arguments)
    if arguments.has("--json") {
      let list = JSONValue.array(keys.records.map { .object(KeyListing.json($0, role: keys.role)) })
      try console.print(String(decoding: list.encoded(), as: UTF8.self) + "\n")
    } else {
      try console.print(KeyListing.table(keys))
    }
  }
}
