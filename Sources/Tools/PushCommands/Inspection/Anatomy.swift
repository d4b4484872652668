import PushCore

/// A sealed payload, taken apart.
struct Anatomy {
  /// A part of the payload.
  private struct Part {
    let name: String
    /// The character that stands for it in the bar.
    let mark: Character
    let bytes: Int
  }

  private let envelope: Envelope
  private let payloadSize: Int
  private let textSize: Int
  private let limit: Int
  /// How much of the ciphertext is padding; nil without the key.
  private let paddingSize: Int?

  /// Takes a payload's bytes apart; `padding` says how many bytes of the plaintext are padding.
  init(
    of bytes: [UInt8], limit: PayloadLimit, envelopeKey: EnvelopeKey, over service: PushService = .apns,
    padding: (Envelope) throws(ToolError) -> Int? = { _ in nil }
  ) throws(ToolError) {
    let object = try FileInput.payload(parsing: bytes)
    let message = service == .fcm ? FCMPayload(object) : nil
    guard case .string(let text)? = envelopeKey.value(in: message?.data ?? object) else {
      throw ToolError(.badData, "no-envelope: there is no string under \(envelopeKey.text)")
    }
    do throws(EnvelopeError) {
      envelope = try Envelope(decoding: text)
    } catch {
      throw ToolError(.badData, "the envelope does not parse: \(error.reason)")
    }
    payloadSize = message?.size ?? bytes.count
    textSize = text.utf8.count
    self.limit = limit.bytes
    paddingSize = try padding(envelope)
  }

  private var parts: [Part] {
    let ciphertext = envelope.ciphertext.count - Envelope.tagSize - (paddingSize ?? 0)
    var parts = [
      Part(name: "skeleton", mark: "s", bytes: payloadSize - textSize),
      Part(name: "header", mark: "h", bytes: Envelope.headerSize),
      Part(name: "encapsulated key", mark: "k", bytes: envelope.encapsulatedKey.count),
      Part(name: "ciphertext", mark: "c", bytes: ciphertext),
    ]
    if let paddingSize { parts.append(Part(name: "padding", mark: "p", bytes: paddingSize)) }
    return parts + [
      Part(name: "tag", mark: "t", bytes: Envelope.tagSize),
      Part(name: "base64url", mark: "b", bytes: textSize - envelope.encoded().count),
      Part(name: "free of \(limit)", mark: ".", bytes: limit - payloadSize),
    ]
  }

  var text: String {
    let lines = [
      ("version", "\(Envelope.version)"), ("suite", envelope.suite.name),
      ("key id", "\(envelope.keyID.text), of the key \(envelope.keyID.kidPrefix)…"),
      ("payload", "\(payloadSize) bytes"),
      ("quantum-resistant", SuiteText.quantumResistance(of: envelope.suite)),
    ]
    let parts = parts
    let legend = parts.map { "\($0.mark) " + Help.padded($0.name, to: 18) + "\($0.bytes)\n" }
    return lines.map { Help.padded($0.0, to: 20) + $0.1 + "\n" }.joined() + legend.joined()
      + "[\(Bar.draw(parts.map { ($0.mark, $0.bytes) }, width: 72))]\n"
  }

  var json: String {
    func number(_ value: Int) -> JSONValue { .number(JSONNumber(value)) }
    var sizes: JSONObject = [
      "payload": number(payloadSize), "skeleton": number(payloadSize - textSize),
      "envelope": number(textSize), "header": number(Envelope.headerSize),
      "encapsulatedKey": number(envelope.encapsulatedKey.count),
      "ciphertext": number(envelope.ciphertext.count - Envelope.tagSize),
      "tag": number(Envelope.tagSize), "limit": number(limit),
      "free": number(limit - payloadSize),
    ]
    if let paddingSize { sizes["padding"] = number(paddingSize) }
    let object: JSONObject = [
      "version": number(Int(Envelope.version)), "suite": .string(envelope.suite.name),
      "quantumResistant": .boolean(envelope.suite.isQuantumResistant),
      "keyID": .string(envelope.keyID.text), "kidPrefix": .string(envelope.keyID.kidPrefix),
      "sizes": .object(sizes),
    ]
    return object.jsonLine
  }
}

/// Parts of a whole as a line of characters.
enum Bar {
  /// A line of `width` characters: each part has its share of them, and at least one unless it is empty.
  ///
  /// Parts below zero are left out. There must not be more parts than `width`.
  static func draw(_ parts: [(mark: Character, count: Int)], width: Int) -> String {
    let parts = parts.filter { $0.count > 0 }
    let total = parts.reduce(0) { $0 + $1.count }
    guard total > 0 else { return String(repeating: " ", count: width) }
    var widths = parts.map { max(1, $0.count * width / total) }
    // The rounding error goes to the largest part.
    if let largest = widths.indices.max(by: { parts[$0].count < parts[$1].count }) {
      widths[largest] += width - widths.reduce(0, +)
    }
    return zip(parts, widths).map { String(repeating: $0.mark, count: max(0, $1)) }.joined()
  }
}
