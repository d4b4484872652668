import PushCore
import PushKeys

extension Command {
  static let keysList = Command(
    name: ["keys", "list"], summary: "list the keys in a file",
    details: """
      An active key is in use: others seal to it, or it signs. An accepted key has been replaced: it still
      opens messages, or its signatures are still trusted, until it expires; then keys prune destroys it. A
      next key, which only a sender has, becomes the active one at the next rotation. Public sets, signed or
      not, list it as accepted, because devices already trust it. Times are UTC.
      """,
    examples: [
      "sealpush keys list --keys device.jwks",
      "sealpush keys list --keys device.jwks --json",
    ],
    options: [.readKeys, .keyDescriptor(.keys), .json] + Parameter.passphrase
  ) { (arguments, console) throws(ToolError) in
    let keys = try Keys.load(
      from: try KeySource(required: .keys, from: arguments), passphrase: arguments.passphrase)
    if arguments.has(.json) {
      let list = JSONValue.array(keys.records.map { .object(KeyListing.json(of: $0, role: keys.role)) })
      try console.print(list.jsonLine)
    } else {
      try console.print(KeyListing.table(of: keys))
    }
    let lacking = Suite.allCases.filter { suite in
      !suite.isAvailable && keys.records.contains { $0.algorithm.suite == suite }
    }
    for suite in lacking {
      console.note("on this system, keys for \(suite.name) open nothing: \(suite.unavailability)")
    }
  }
}

/// Keys in a list.
enum KeyListing {
  static func json(of record: KeyRecord, role: KeyRole) -> JSONObject {
    func time(_ time: UnixTime?) -> JSONValue { time.map { .number(JSONNumber($0.seconds)) } ?? .null }
    return [
      "kid": .string(record.id.text),
      "role": .string(role.rawValue),
      "alg": .string(record.algorithm.rawValue),
      "suite": record.algorithm.suite.map { .string($0.name) } ?? .null,
      "available": .boolean(record.algorithm.isAvailable),
      "status": .string(record.life.status.rawValue),
      "iat": time(record.life.issuedAt),
      "nbf": time(record.life.notBefore),
      "exp": time(record.life.expiresAt),
    ]
  }

  /// What a signing key is.
  private static func kind(of role: KeyRole) -> String {
    role == .sender ? "ed25519" : "ed25519, \(role.rawValue)"
  }

  static func table(of keys: KeySet) -> String {
    let rows = keys.records.map { record in
      [
        record.life.status.rawValue, record.algorithm.suite?.name ?? kind(of: keys.role),
        record.life.issuedAt.calendarText, record.life.expiresAt.map(\.calendarText) ?? "-",
        record.id.text,
      ]
    }
    let hasSuites = keys.role == .device || keys.role == .shared
    let header = ["STATUS", hasSuites ? "SUITE" : "KIND", "MADE", "ENDS", "KEY"]
    return TextTable.text(of: [header] + rows)
  }
}
