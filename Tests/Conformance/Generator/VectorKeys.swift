import PushCrypto
import PushCore
import PushKeys
import PushTesting
import TestSupport
import Testing

/// The keys of the vectors, the same in every run.
struct VectorKeys {
  /// When they were made.
  static let made = UnixTime(clamping: 1_790_000_000)

  /// The device's file: a key for each suite, and a retired one, as the text of a private JWK Set.
  let deviceFile: JSONObject
  /// The sender's file.
  let senderFile: JSONObject
  let device: KeySet
  let sender: KeySet
  /// A sender that the device does not trust.
  let stranger: KeySet
  /// Somebody else's device.
  let otherDevice: KeySet
  /// The file of shared keys: an active one, and a retired one.
  let sharedFile: JSONObject
  let shared: KeySet
  /// A key that others share.
  let otherShared: KeySet
  /// The retired shared key, when it was active.
  let retiredShared: KeySet

  init() throws {
    let x25519 = Self.make(.device, .x25519ChaChaPoly, "device x25519")
    let p256 = Self.make(.device, .p256AESGCM, "device p256")
    var retired = KeySetEditor(Self.make(.device, .x25519ChaChaPoly, "retired device x25519"))
    try retired.rotate(at: Self.made, random: FixedRandomness.labelled("unused"))
    let ended = try Self.keys(in: retired.keySet).filter { $0.object?["status"]?.string == "accepted" }
    deviceFile = ["v": 1, "keys": .array(try Self.keys(in: x25519) + Self.keys(in: p256) + ended)]
    device = try KeySet(parsing: deviceFile.encoded().span)
    sender = Self.make(.sender, .x25519ChaChaPoly, "sender")
    senderFile = try JSONObject(parsing: sender.encoded().span)
    stranger = Self.make(.sender, .x25519ChaChaPoly, "stranger")
    otherDevice = Self.make(.device, .x25519ChaChaPoly, "other device x25519")
    retiredShared = Self.make(.shared, .x25519ChaChaPoly, "retired shared key")
    otherShared = Self.make(.shared, .x25519ChaChaPoly, "other shared key")
    var rotated = KeySetEditor(retiredShared)
    try rotated.rotate(at: Self.made, random: FixedRandomness.labelled("shared key"))
    shared = rotated.keySet
    sharedFile = try JSONObject(parsing: shared.encoded().span)
  }

  /// The device's active key of a suite.
  func recipient(_ suite: Suite) throws -> Recipient { try device.publicKeys.recipient(suite: suite) }

  /// The key that ended 30 days after it was made.
  func retired() throws -> Recipient {
    let record = try #require(device.records.first { $0.life.status == .accepted })
    return try #require(record.publicKey.flatMap(Recipient.init))
  }

  static func make(
    _ role: KeyRole, _ suite: Suite, _ label: String
  ) -> KeySet {
    guard
      let set = try? KeySet(
        generating: role, suite: suite, at: made, random: FixedRandomness.labelled(label))
    else { preconditionFailure("\(suite.name) is not available") }
    return set
  }

  static func keys(in set: KeySet) throws -> [JSONValue] {
    try JSONObject(parsing: set.encoded().span)["keys"]?.array ?? []
  }
}
