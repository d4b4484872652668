import PushCore
import PushKeys
import PushTesting
import TestSupport

/// The keys of `keys.json`, and with them a device's and a sender's key that begin and end.
struct EdgeKeys {
  /// The first second of both.
  static let begin = Int64(Forge.issuedAt) + 100
  /// The last second of both.
  static let end = begin + 100

  /// The file's keys.
  let json: JSONObject
  let device: KeySet
  let senders: PublicKeySet
  /// The device's key that begins and ends.
  let recipient: Recipient
  /// The sender's.
  let signer: SigningKey

  init(_ keys: VectorKeys) throws {
    let device = VectorKeys.make(.device, .x25519ChaChaPoly, "bounded device x25519")
    let sender = VectorKeys.make(.sender, .x25519ChaChaPoly, "bounded sender")
    recipient = try device.publicKeys.recipient(suite: .x25519ChaChaPoly)
    signer = try sender.signingKey()
    json = [
      "device": try Self.adding(device, to: keys.deviceFile),
      "sender": try Self.adding(sender, to: keys.senderFile),
    ]
    self.device = try KeySet(parsing: (json["device"]?.object ?? [:]).encoded().span)
    senders = try KeySet(parsing: (json["sender"]?.object ?? [:]).encoded().span).publicKeys
  }

  private static func adding(_ set: KeySet, to file: JSONObject) throws -> JSONValue {
    let bounded = try VectorKeys.keys(in: set).map { key in
      var key = key.object ?? [:]
      key["nbf"] = .number(JSONNumber(begin))
      key["exp"] = .number(JSONNumber(end))
      key["status"] = "accepted"
      return JSONValue.object(key)
    }
    var file = file
    file["keys"] = .array((file["keys"]?.array ?? []) + bounded)
    return .object(file)
  }
}
