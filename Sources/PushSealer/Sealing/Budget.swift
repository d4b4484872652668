public import PushEnvelope
internal import PushPayload

/// How the bytes of a sealed payload are spent.
///
/// All figures are bytes.
public struct Budget: Hashable, Sendable {
  /// The most that APNs takes.
  public let limit: Int

  /// The visible part of the payload.
  public let skeleton: Int

  /// The longest plaintext that there is room for.
  public let capacity: Int

  /// The claims, the signature, the content and one byte of padding.
  public let needed: Int

  /// The length of the payload if it were sealed without further padding.
  public let neededPayload: Int

  /// How many bytes of plaintext are too many; 0 if it fits.
  var excess: Int { max(0, needed - capacity) }

  /// Works a budget out, without sealing anything.
  init(_ policy: SealingPolicy, _ skeleton: Skeleton, suite: Suite, minimumSize: Int) {
    limit = policy.pushType.limit.bytes
    self.skeleton = skeleton.size
    capacity = Envelope.capacity(textSize: limit - skeleton.size, suite: suite)
    needed = minimumSize
    neededPayload = skeleton.size + Envelope.textSize(plaintextSize: minimumSize, suite: suite)
  }

  /// The longest content that fits with a suite and a policy, signed or not, if none of its members stay visible.
  public static func contentCapacity(policy: SealingPolicy, suite: Suite, isSigned: Bool) -> Int {
    let overhead = SealedContent.overhead(isSigned: isSigned)
    let budget = Budget(policy, Skeleton(policy), suite: suite, minimumSize: overhead)
    return max(0, budget.capacity - overhead)
  }
}
