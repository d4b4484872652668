public import PushEnvelope
internal import PushPayload

/// How a sealed payload's bytes are spent.
///
/// All figures are in bytes.
public struct Budget: Hashable, Sendable {
  /// The largest payload that APNs accepts.
  public let limit: Int

  /// The visible part of the payload.
  public let skeleton: Int

  /// The longest plaintext that fits.
  public let capacity: Int

  /// The shortest plaintext: the claims, the signature, the content and one byte of padding.
  public let needed: Int

  /// The length of the payload when it is sealed without further padding.
  public let neededPayload: Int

  /// By how many bytes the plaintext is too long; 0 if it fits.
  var excess: Int { max(0, needed - capacity) }

  /// Computes a budget without sealing anything.
  init(policy: SealingPolicy, skeleton: Skeleton, suite: Suite, minimumSize: Int) {
    limit = policy.pushType.limit.bytes
    self.skeleton = skeleton.size
    capacity = Envelope.capacity(textSize: limit - skeleton.size, suite: suite)
    needed = minimumSize
    neededPayload = skeleton.size + Envelope.textSize(plaintextSize: minimumSize, suite: suite)
  }

  /// Returns the length of the longest content that fits, provided that none of its members stay visible.
  public static func contentCapacity(policy: SealingPolicy, suite: Suite, isSigned: Bool) -> Int {
    let overhead = SealedContent.overhead(isSigned: isSigned)
    let budget = Budget(
      policy: policy, skeleton: Skeleton(policy: policy), suite: suite, minimumSize: overhead)
    return max(0, budget.capacity - overhead)
  }
}
