internal import PushCrypto
internal import PushPayload
internal import PushReceiver

extension WebPush {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    for carriage in WebPushCarriage.all {
      guard let body = try? body(of: payload, by: carriage) else { continue }
      return ForeignEnvelope(
        format: name, members: [carriage.body], ciphertextSize: body.record.count,
        details: [
          "recordSize": .number(JSONNumber(body.recordSize)), "salt": hexadecimal(body.salt),
          "ephemeralKey": hexadecimal(body.publicKey),
        ])
    }
    return nil
  }
}

extension WebPushDraft {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    for carriage in WebPushCarriage.all {
      guard let message = try? Message(payload, carriage) else { continue }
      return ForeignEnvelope(
        format: name, members: [carriage.body, WebPushCarriage.publicKey, WebPushCarriage.salt],
        ciphertextSize: message.ciphertext.count,
        details: ["salt": hexadecimal(message.salt), "ephemeralKey": hexadecimal(message.publicKey)])
    }
    return nil
  }
}

extension Zulip {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    guard let id = try? keyID(of: payload), let box = try? box(of: payload) else { return nil }
    return ForeignEnvelope(
      format: name, members: [keyID, data], ciphertextSize: box.boxSize,
      details: ["keyID": .number(JSONNumber(Int64(id)))])
  }
}

extension HomeAssistant {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    guard let box = try? box(of: payload) else { return nil }
    var details = JSONObject()
    if let id = payload[webhookID]?.string { details["webhookID"] = .string(id) }
    return ForeignEnvelope(
      format: name, members: [isEncrypted, data], ciphertextSize: box.boxSize, details: details)
  }

}

extension SodiumSealedBox {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    guard let box = try? box(of: payload, defaultMember) else { return nil }
    return ForeignEnvelope(
      format: name, members: [defaultMember], ciphertextSize: box.count - X25519.keySize,
      details: ["ephemeralKey": hexadecimal(box.prefix(X25519.keySize))])
  }
}

extension OpenSSLSalted {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    let state = payload["aps"]?.object?["content-state"]?.object ?? JSONObject()
    let found = payload.first { isStart($0.value) } ?? state.first { isStart($0.value) }
    guard let (member, value) = found, let text = value.string else { return nil }
    guard text.utf8.count <= Base64.maximumSize, let bytes = Base64.decode(text, wrapped: true),
      SaltedLayout.isKept(by: bytes.span)
    else { return ForeignEnvelope(format: name, members: [member], ciphertextSize: nil) }
    return ForeignEnvelope(
      format: name, members: [member], ciphertextSize: bytes.count - SaltedLayout.salt.upperBound,
      details: ["salt": hexadecimal(bytes[SaltedLayout.salt])])
  }
}

extension Bark {
  static func shown(in payload: JSONObject) -> ForeignEnvelope? {
    guard isRecognized(payload), let text = payload["ciphertext"]?.string else { return nil }
    var details = JSONObject()
    details["iv"] = payload["iv"]
    let size = text.utf8.count <= Base64.maximumSize ? Base64.decode(text)?.count : nil
    return ForeignEnvelope(
      format: name, members: payload["iv"] == nil ? ["ciphertext"] : ["ciphertext", "iv"],
      ciphertextSize: size, details: details)
  }
}

/// Bytes in lower-case hexadecimal digits.
private func hexadecimal(_ bytes: some Sequence<UInt8>) -> JSONValue {
  let digits = Array("0123456789abcdef")
  return .string(String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }))
}
