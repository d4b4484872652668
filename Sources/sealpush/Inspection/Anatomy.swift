import PushEnvelope
import PushPayload

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
