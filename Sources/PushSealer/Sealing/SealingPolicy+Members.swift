package import PushPayload

extension SealingPolicy {
  /// The payload that carries other members in the envelope's place: another system's envelope.
  ///
  /// The push type is not `liveactivity`, whose envelope is no member of the top level.
  ///
  /// - Throws: ``SealError/tooLarge(bytes:limit:)``.
  package func payload(carrying members: JSONObject) throws(SealError) -> [UInt8] {
    precondition(pushType != .liveActivity, "a Live Activity's envelope is no member of the top level")
    var payload = visiblePart(of: [:])
    payload.removeValue(forKey: envelopeKey.text)
    for (key, value) in members { payload[key] = value }
    let bytes = payload.encoded()
    guard bytes.count <= pushType.limit.bytes else {
      throw .tooLarge(bytes: bytes.count, limit: pushType.limit.bytes)
    }
    return bytes
  }
}
