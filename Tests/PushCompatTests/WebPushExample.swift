import PushCompat
import PushCore

/// The example of RFC 8291, 5 and appendix A.
enum WebPushExample {
  static let text = "When I grow up, I want to be a watermelon"
  static let receiverKey = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
  static let receiverPublicKey =
    "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
  static let secret = "BTBZMqHH6r4Tts7J_aSIgg"
  static let senderKey = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
  static let senderPublicKey =
    "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
  static let salt = "DGv6ra1nlYgDCS1FRnbzlw"
  static let body = base64URL(
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr"
      + "u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN")

  /// The same message with the same keys and salt in the older coding, without padding.
  static let draftBody = base64URL(
    "4qwOLFm_mNy0vf1A8f3Bm6B5UD15y3aV_xZy14pixUhcPTIoZKHzq5i3dZ6PzqSMxBI_-VDUZ4jW04M")

  static let keys = WebPushKeys(
    privateKey: base64URL(receiverKey).span, authenticationSecret: base64URL(secret).span)!
  static let subscription = WebPushSubscription(p256dh: receiverPublicKey, auth: secret)!

  /// What a relay makes of the older body.
  static func draftPayload(
    body: [UInt8] = draftBody, publicKey: [UInt8] = base64URL(senderPublicKey),
    salt: [UInt8] = base64URL(salt), _ carriage: WebPushCarriage = .base64URL
  ) -> JSONObject {
    let body = carriage.members(of: body.span)
    let (key, value) = body.makeIterator().first!
    var payload: JSONObject = [key: value]
    payload["k"] = carriage.members(of: publicKey.span)[key]
    payload["s"] = carriage.members(of: salt.span)[key]
    return payload
  }
}

extension JSONObject.Iterator {
  /// The first member.
  fileprivate var first: JSONObject.Element? {
    var iterator = self
    return iterator.next()
  }
}
