internal import PushCore
internal import PushKeys
internal import PushSealer
private import Synchronization

/// The keys that a worker signs with, which an operator may rotate meanwhile.
final class SigningKeys: Sendable {
  private struct Place: Hashable {
    let pushType: PushType
    let topic: Topic
    let key: Thumbprint
  }

  private struct State {
    var senders: Senders
    var sealers: [Place: Sealer] = [:]
  }

  /// How many sealers are kept.
  static let maximumSealers = 256

  /// How many there are.
  var sealerCount: Int { state.withLock(\.sealers.count) }

  private let policy: SealingPolicy
  private let state: Mutex<State>

  init(senders: Senders, policy: SealingPolicy) {
    self.policy = policy
    state = Mutex(State(senders: senders))
  }

  /// Signs with other keys from now on.
  func replace(with senders: Senders) { state.withLock { $0 = State(senders: senders) } }

  /// The keys that sign first attempts, one a sender.
  func current(at now: UnixTime) -> Set<Thumbprint> { state.withLock(\.senders).signingKeys(at: now) }

  /// The sealer for an app, with the sender's key of the first attempt, or with its current key if that one is gone.
  func sealer(
    of pushType: PushType, for topic: Topic, preferring first: Set<Thumbprint>, at now: UnixTime
  ) throws(KeySetError) -> Sealer {
    guard let keys = state.withLock(\.senders).keys(for: topic) else { throw .noActiveKey }
    let earlier = first.lazy.compactMap { keys.signingKey(for: $0, at: now) }.first
    let key: SigningKey
    if let earlier { key = earlier } else { key = try keys.signingKey(at: now) }
    let place = Place(pushType: pushType, topic: topic, key: key.publicKey.thumbprint)
    if let sealer = state.withLock({ $0.sealers[place] }) { return sealer }
    var policy = policy
    policy.pushType = pushType
    let sealer = Sealer(topic: topic, signingKey: key, policy: policy)
    state.withLock { state in
      // Topics come from enrolments, which anyone may hand in; another sealer costs little.
      if state.sealers.count >= Self.maximumSealers { state.sealers = [:] }
      state.sealers[place] = sealer
    }
    return sealer
  }
}
