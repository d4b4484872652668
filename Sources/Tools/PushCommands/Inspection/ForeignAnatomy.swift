import PushCompat
import PushCore

/// What a payload with another system's envelope shows without a key.
struct ForeignAnatomy {
  private let envelope: ForeignEnvelope
  private let payloadSize: Int
  private let limit: Int

  /// The format's name.
  var format: String { envelope.format }

  /// Takes apart an envelope that is recognized; nil if there is none, or if there is one of this package's own.
  init?(of bytes: [UInt8], limit: PayloadLimit, envelopeKey: EnvelopeKey) {
    guard let payload = try? JSONObject(parsing: bytes.span),
      let envelope = ForeignEnvelope(in: payload, besides: envelopeKey)
    else { return nil }
    self.envelope = envelope
    payloadSize = bytes.count
    self.limit = limit.bytes
  }

  var text: String {
    var lines = [("format", envelope.format), ("in", envelope.members.joined(separator: ", "))]
    let size =
      envelope.ciphertextSize.map { "\($0) bytes" } ?? "none: the text is malformed, and cannot be opened"
    lines.append(("ciphertext", size))
    for (name, value) in envelope.details {
      lines.append((Self.title(of: name), envelope.isRaw ? FormatFailure.rawEncoding : Self.text(of: value)))
    }
    lines.append(("payload", "\(payloadSize) bytes, \(limit - payloadSize) free of \(limit)"))
    lines.append(("lacks", FormatWeakness.all(of: envelope.format).map(\.text).joined(separator: ", ")))
    return lines.map { Help.padded($0.0, to: 20) + Terminal.printable($0.1) + "\n" }.joined()
  }

  var json: String {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    var object: JSONObject = [
      "format": .string(envelope.format), "members": .array(envelope.members.map { .string($0) }),
    ]
    for (name, value) in envelope.details { object[name] = value }
    object["sizes"] = .object([
      "payload": number(payloadSize), "ciphertext": envelope.ciphertextSize.map(number) ?? .null,
      "limit": number(limit), "free": number(limit - payloadSize),
    ])
    object["lacks"] = .array(FormatWeakness.all(of: envelope.format).map { .string($0.rawValue) })
    return object.jsonLine
  }

  private static func title(of name: String) -> String {
    switch name {
    case "ephemeralKey": "ephemeral key"
    case "recordSize": "record size"
    case "keyID": "key id"
    case "webhookID": "webhook id"
    default: name
    }
  }

  private static func text(of value: JSONValue) -> String {
    switch value {
    case .string(let text): text
    case .number(let number): number.literal
    default: ""
    }
  }
}
