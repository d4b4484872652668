public import PushEnvelope
internal import PushPayload

/// How the bytes of a sealed payload are spent. All figures are bytes.
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

  /// Works a budget out, without sealing anything.
  init(policy: SealingPolicy, suite: Suite, minimumSize: Int) {
    let skeleton = Skeleton(policy)
    limit = policy.pushType.limit.bytes
    self.skeleton = skeleton.size
    capacity = Envelope.capacity(textSize: skeleton.textCapacity, suite: suite)
    needed = minimumSize
    neededPayload =
      skeleton.size
      + Base64URL.encodedSize(
        of: Envelope.headerSize + suite.encapsulatedKeySize + minimumSize + Envelope.tagSize)
  }

  /// The longest content that fits with a suite and a policy, signed or not.
  public static func contentCapacity(policy: SealingPolicy, suite: Suite, isSigned: Bool) -> Int {
    let overhead = SealedContent.overhead(isSigned: isSigned)
    return max(0, Budget(policy: policy, suite: suite, minimumSize: overhead).capacity - overhead)
  }
}
