// Opens another system's payload in an extension's place, and writes one in a backend's.

import PushCompat
import PushCore
import PushReceiver

/// The plaintext of a payload that one of two systems sealed; null if neither did.
func plaintext(of payload: JSONObject, push: WebPush, password: [UInt8]) throws -> [UInt8]? {
  if push.recognizes(payload) { return try push.open(payload) }
  // Whoever carries the message can alter it, so the call says so.
  guard let salted = OpenSSLSalted.unauthenticated(password: password), salted.recognizes(payload) else {
    return nil
  }
  return try salted.open(payload)
}

/// A payload for a Web Push subscription behind a relay that writes Z85.
func payload(_ plaintext: [UInt8], to subscription: WebPushSubscription) throws -> JSONObject {
  let body = try WebPush.seal(plaintext, to: subscription)
  var payload: JSONObject = [
    "aps": ["alert": ["title": "New notification", "body": "(Encrypted)"], "mutable-content": 1]
  ]
  for (name, value) in WebPushCarriage.z85.members(of: body) { payload[name] = value }
  return payload
}
