import PushCore
import PushSealer
import PushTesting
import TestSupport
import Testing

extension Forge {
  /// The same message as the sealer makes it.
  func sealed(_ policy: SealingPolicy, for account: AccountTag? = nil) throws -> SealedNotification {
    let sealer = Sealer(
      topic: try Topic(topic), signer: signer, policy: policy, random: FixedRandomness(bytes: randomness))
    let duration = try #require(Lifetime(seconds: Int64(lifetime)))
    return try sealer.seal(
      payload: try JSONObject(parsing: content.span), to: recipient, account: account,
      messageID: try #require(MessageID(messageID)), at: UnixTime(clamping: Int64(issuedAt)),
      lifetime: duration)
  }
}
