package import PushCore

extension Budget {
  /// The number of bytes by which the plaintext is too long; 0 if it fits.
  var excess: Int { max(0, needed - capacity) }

  /// Computes a budget without sealing anything.
  init(policy: SealingPolicy, skeleton: Skeleton, suite: Suite, minimumSize: Int) {
    let limit = policy.pushType.limit.bytes
    self.init(
      limit: limit, skeleton: skeleton.size,
      capacity: Envelope.capacity(textSize: limit - skeleton.size, suite: suite), needed: minimumSize,
      neededPayload: skeleton.size + Envelope.textSize(plaintextSize: minimumSize, suite: suite))
  }

  /// Returns the length of the longest content that fits, provided that none of its members stay visible.
  package static func contentCapacity(
    policy: SealingPolicy, suite: Suite, isSigned: Bool, over service: PushService = .apns
  ) -> Int {
    let overhead = SealedContent.overhead(isSigned: isSigned)
    let budget = Budget(
      policy: policy, skeleton: Skeleton(policy: policy, over: service), suite: suite, minimumSize: overhead)
    return max(0, budget.capacity - overhead)
  }
}
