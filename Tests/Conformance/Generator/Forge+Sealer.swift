import PushCore
import PushSealer
import PushTesting
import TestSupport
import Testing

extension Forge {
  /// The same message as the sealer makes it.
  func sealed(_ policy: SealingPolicy, for account: AccountTag? = nil) throws -> SealedNotification {
    try sealer(policy).seal(job(for: account))
  }

  /// The same message as the sealer makes it for FCM.
  func sealedForFCM(_ policy: SealingPolicy, for account: AccountTag? = nil) throws -> SealedDataMessage {
    try sealer(policy).sealForFCM(job(for: account))
  }

  private func sealer(_ policy: SealingPolicy) throws -> Sealer {
    Sealer(
      topic: try Topic(topic), signer: signer, policy: policy, random: FixedRandomness(bytes: randomness))
  }

  private func job(for account: AccountTag?) throws -> SealJob {
    let duration = try #require(Lifetime(seconds: Int64(lifetime)))
    return SealJob(
      .payload(try JSONObject(parsing: content.span)), to: recipient, account: account,
      messageID: try #require(MessageID(messageID)), at: UnixTime(clamping: Int64(issuedAt)),
      lifetime: duration)
  }
}
