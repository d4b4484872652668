import PushCore
import PushKeys
import PushTesting
import TestSupport
import Testing

/// The keys of `xwing.json`: those of `keys.json`, and two more of the device for the suite `xwing-aesgcm`.
struct XWingKeys {
  /// The device's file: an active key, a retired one, and the keys of `keys.json`.
  let deviceFile: JSONObject
  let device: KeySet
  let sender: KeySet
  /// A sender that the device does not trust.
  let stranger: KeySet
  /// Somebody else's device.
  let otherDevice: KeySet

  init(_ keys: VectorKeys) throws {
    let active = VectorKeys.make(.device, .xwingAESGCM, "device xwing")
    var retired = KeySetEditor(VectorKeys.make(.device, .xwingAESGCM, "retired device xwing"))
    try retired.rotate(at: VectorKeys.made, random: FixedRandomness.labelled("unused"))
    let ended = try VectorKeys.keys(in: retired.keySet).filter { $0.object?["status"]?.string == "accepted" }
    let others = try #require(keys.deviceFile["keys"]?.array)
    deviceFile = ["v": 1, "keys": .array(try VectorKeys.keys(in: active) + ended + others)]
    device = try KeySet(parsing: deviceFile.encoded().span)
    (sender, stranger) = (keys.sender, keys.stranger)
    otherDevice = VectorKeys.make(.device, .xwingAESGCM, "other device xwing")
  }

  /// The device's active key of a suite.
  func recipient(_ suite: Suite = .xwingAESGCM) throws -> Recipient {
    try device.publicKeys.recipient(suite: suite)
  }

  /// The key that ended 30 days after it was made.
  func retired() throws -> Recipient {
    let record = device.records.first { $0.algorithm == .xwing && $0.life.status == .accepted }
    return try #require(record?.publicKey.flatMap(Recipient.init))
  }
}
