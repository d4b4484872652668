import PushCore
import PushKeys
import PushTesting
import TestSupport
import Testing

/// Public keys of senders and devices, each a JWK that can be changed.
struct PublicKeys {
  let sender: RawObject
  /// The one that the next rotation makes active.
  let next: RawObject
  let x25519: RawObject
  let p256: RawObject
  /// What the device has after it rotated.
  let rotated: RawObject
  /// Other devices'.
  let others: [RawObject]

  init() throws {
    sender = try Self.make(.sender, "sender")
    next = try Self.make(.sender, "next sender")
    x25519 = try Self.make(.device, "device x25519")
    p256 = try Self.make(.device, "device p256", .p256AESGCM)
    rotated = try Self.make(.device, "rotated device x25519")
    others = try (1...3).map { try Self.make(.device, "other device \($0)") }
  }

  /// The next key as it is handed out.
  var accepted: RawObject { next.with { $0["status"] = "accepted".quoted } }

  static func make(
    _ role: KeyRole, _ label: String, _ suite: Suite = .x25519ChaChaPoly
  ) throws -> RawObject {
    let set = try KeySet(
      generating: role, suite: suite, at: VectorKeys.made, random: FixedRandomness.labelled(label))
    let file = try JSONObject(parsing: try set.publicKeys.encoded().span)
    return RawObject(try #require(file["keys"]?.array?.first?.object))
  }
}

extension RawObject {
  func with(_ change: (inout RawObject) -> Void) -> RawObject {
    var changed = self
    change(&changed)
    return changed
  }
}
