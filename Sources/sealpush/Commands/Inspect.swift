import PushEnvelope
import PushPayload
import PushSealer

extension Command {
  static let inspect = Command(
    name: ["inspect"], summary: "take a sealed payload apart, without a key",
    details: """
      Says the version, the suite, the key id and how the bytes are spent. With --capacity it reads nothing and
      says the longest body that fits.
      """,
    options: [
      .input, .json, .envelopeKey,
      .flag("--capacity", "print the longest body, in bytes of ASCII, for each suite"),
      .optional("--topic", "ID", "the app's bundle id; it takes no room"),
      .optional("--push-type", "TYPE", "the limit to hold it against: alert (default) or voip"),
      .optional("--title", "TEXT", "the visible title that capacity reckons with"),
    ]
  ) { (arguments, console) throws(ToolError) in
    if arguments.has("--capacity") {
      if arguments["--topic"] != nil { _ = try arguments.topic() }
      let rows = try CapacityTable.rows(policy: try SealingPolicy(arguments))
      return try console.print(arguments.has("--json") ? CapacityTable.json(rows) : CapacityTable.text(rows))
    }
    let anatomy = try Anatomy(
      try FileInput.read(arguments["--in"]), limit: try SealingPolicy(arguments).pushType.limit,
      envelopeKey: try arguments.envelopeKey())
    try console.print(arguments.has("--json") ? anatomy.json : anatomy.text)
  }
}

/// A sealed payload, taken apart.
struct Anatomy {
  private let envelope: Envelope
  private let payloadSize: Int
  private let textSize: Int
  private let limit: Int

  /// Takes a payload's bytes apart, as they are.
  init(_ bytes: [UInt8], limit: PayloadLimit, envelopeKey: EnvelopeKey) throws(ToolError) {
    let payload = try Payloads.parse(bytes)
    guard case .string(let text)? = payload[envelopeKey.text] else {
      throw ToolError(.badData, "no-envelope: there is no string under \(envelopeKey.text)")
    }
    do throws(EnvelopeError) {
      envelope = try Envelope(decoding: text)
    } catch {
      throw ToolError(.badData, "the envelope does not parse: \(Self.describe(error))")
    }
    payloadSize = bytes.count
    textSize = text.utf8.count
    self.limit = limit.bytes
  }

  /// Names and figures, sizes in bytes.
  private var parts: [(name: String, bytes: Int)] {
    [
      ("skeleton", payloadSize - textSize), ("header", Envelope.headerSize),
      ("encapsulated key", envelope.encapsulatedKey.count),
      ("ciphertext", envelope.ciphertext.count - Envelope.tagSize), ("tag", Envelope.tagSize),
      ("base64url", textSize - envelope.encoded().count),
      ("free of \(limit)", limit - payloadSize),
    ]
  }

  var text: String {
    var lines = [
      ("version", "\(Envelope.version)"), ("suite", envelope.suite.name),
      ("key id", "\(envelope.keyID.text), of the key \(envelope.keyID.kidPrefix)…"),
      ("payload", "\(payloadSize) bytes"),
    ]
    lines += parts.map { ("  \($0.name)", "\($0.bytes)") }
    return lines.map { Help.padded($0.0, 20) + $0.1 + "\n" }.joined()
  }

  var json: String {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    let sizes: JSONObject = [
      "payload": number(payloadSize), "skeleton": number(payloadSize - textSize),
      "envelope": number(textSize), "header": number(Envelope.headerSize),
      "encapsulatedKey": number(envelope.encapsulatedKey.count),
      "ciphertext": number(envelope.ciphertext.count - Envelope.tagSize),
      "tag": number(Envelope.tagSize), "limit": number(limit),
      "free": number(limit - payloadSize),
    ]
    let object: JSONObject = [
      "version": number(Int(Envelope.version)), "suite": .string(envelope.suite.name),
      "keyID": .string(envelope.keyID.text), "kidPrefix": .string(envelope.keyID.kidPrefix),
      "sizes": .object(sizes),
    ]
    return String(decoding: object.encoded(), as: UTF8.self) + "\n"
  }

  private static func describe(_ error: EnvelopeError) -> String {
    switch error {
    case .tooLarge: "it is longer than \(Envelope.maximumTextSize) characters"
    case .notBase64URL(let error): "it is not base64url: \(error)"
    case .truncated: "it is cut short"
    case .unsupportedVersion(let version): "its version is \(version), and \(Envelope.version) is known"
    case .unsupportedSuite(let suite): "its suite is \(suite), which is unknown"
    case .badEncapsulatedKey: "its encapsulated key does not have the suite's form"
    }
  }
}

/// The longest bodies that fit.
enum CapacityTable {
  struct Row {
    let suite: Suite
    let isSigned: Bool
    let pushType: PushType
    let bytes: Int
  }

  static func rows(policy: SealingPolicy) throws(ToolError) -> [Row] {
    let empty: Int
    do throws(PayloadError) {
      empty = try RemoteNotification(body: "").payload().encoded().count
    } catch {
      throw ToolError(.failed, "\(error)")
    }
    var rows: [Row] = []
    for pushType in PushType.allCases {
      for suite in Suite.allCases {
        for isSigned in [true, false] {
          var policy = policy
          policy.pushType = pushType
          let content = Budget.contentCapacity(policy: policy, suite: suite, isSigned: isSigned)
          rows.append(
            Row(suite: suite, isSigned: isSigned, pushType: pushType, bytes: max(0, content - empty)))
        }
      }
    }
    return rows
  }

  static func text(_ rows: [Row]) -> String {
    let lines = rows.map { row in
      Help.padded("\(row.pushType.rawValue) (\(row.pushType.limit.bytes))", 14)
        + Help.padded(row.suite.name, 20) + Help.padded(row.isSigned ? "signed" : "anonymous", 12)
        + "\(row.bytes)\n"
    }
    return "PUSH TYPE     SUITE               SENDER      LONGEST BODY, BYTES\n" + lines.joined()
  }

  static func json(_ rows: [Row]) -> String {
    let list = JSONValue.array(
      rows.map { row in
        .object([
          "pushType": .string(row.pushType.rawValue), "suite": .string(row.suite.name),
          "signed": .boolean(row.isSigned), "body": .number(JSONNumber(row.bytes)),
        ])
      })
    return String(decoding: list.encoded(), as: UTF8.self) + "\n"
  }
}
