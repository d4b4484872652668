import PushCore
import PushKeys
import PushReceiver
import PushTesting
import TestSupport

/// The receiver that the vectors are for.
struct VectorReceiver {
  let keys: any DeviceKeyStore
  let senders: PublicKeySet

  /// A receiver that accepts every suite and anonymous messages.
  func receiver(
    of topic: String = Forge.topic, at now: UnixTime, remembering replay: any ReplayStore,
    accounts: [AccountTag]? = nil
  ) throws -> Receiver {
    var receiver = Receiver(
      topic: try Topic(topic), keys: keys, senders: senders,
      accepts: AcceptedEnvelopes(suites: Set(Suite.allCases), anonymous: true), replay: replay,
      clock: ManualClock(now))
    receiver.accounts = accounts.map { Set($0) }
    return receiver
  }

  /// What comes of a payload in a setting.
  func reception(of payload: JSONObject, _ setting: Setting) async throws -> Reception {
    var receiver = Receiver(
      topic: try Topic(setting.topic), keys: setting.isLocked ? LockedKeyStore() : keys, senders: senders,
      accepts: AcceptedEnvelopes(suites: Set(setting.suites), anonymous: setting.anonymous),
      replay: InMemoryReplayStore(), clock: ManualClock(setting.now))
    receiver.accounts = setting.accounts.map { Set($0) }
    if let earlier = setting.after { _ = receiver.reception(ofPayload: earlier) }
    guard setting.hasNoTime else { return receiver.reception(ofPayload: payload) }
    return await receiver.receive(IncomingPush(payload: payload), deadline: .zero)
  }
}
