import Dispatch
import Locks
import PushCore
import PushKeys
import PushReceiver
import PushTesting

/// Several sets of keys as one store.
struct KeyRing: DeviceKeyStore, SenderKeyStore {
  var devices: [KeySet] = []
  var senders: [PublicKeySet] = []

  func deviceKey(for id: KeyID, at now: UnixTime) -> DeviceKey? {
    devices.lazy.compactMap { $0.deviceKey(for: id, at: now) }.first
  }

  func senderKey(for id: KeyID, at now: UnixTime) -> SenderKey? {
    senders.lazy.compactMap { $0.senderKey(for: id, at: now) }.first
  }
}

/// Senders' keys on a phone that was not unlocked since it started.
struct LockedSenders: SenderKeyStore {
  func senderKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> SenderKey? { throw .locked }
}

/// A key store that gives no answer.
struct FailingKeyStore: DeviceKeyStore {
  let error: KeyStoreError

  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? { throw error }
}

/// A replay store that takes its time once it has recorded a message.
final class SlowReplayStore: ReplayStore {
  let store = InMemoryReplayStore()
  private let arrival = Signal()
  private let gate = DispatchSemaphore(value: 0)
  private let forgotten = Signal()

  func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    let verdict = store.record(entry, at: now)
    arrival.fire()
    gate.wait()
    return verdict
  }

  func forget(_ entry: ReplayEntry) {
    store.forget(entry)
    forgotten.fire()
  }

  func waitForRecord() async { await arrival.wait() }

  func waitForForgetting() async { await forgotten.wait() }

  func release() { gate.signal() }
}

/// A replay store that is broken.
struct UnavailableReplayStore: ReplayStore {
  func record(_ entry: ReplayEntry, at now: UnixTime) throws(ReplayStoreError) -> ReplayVerdict {
    throw .unavailable
  }
}

/// A replay store that keeps what it is asked.
final class RecordingReplayStore: ReplayStore {
  private let recorded = Mutex<[ReplayEntry]>([])

  var entries: [ReplayEntry] { recorded.withLock { $0 } }

  func record(_ entry: ReplayEntry, at now: UnixTime) -> ReplayVerdict {
    recorded.withLock { $0.append(entry) }
    return .first
  }
}

/// A key store that tells when the last one who might use it has let it go.
final class Canary: DeviceKeyStore {
  private let keys: any DeviceKeyStore
  private let onRelease: @Sendable () -> Void

  init(_ keys: any DeviceKeyStore, onRelease: @escaping @Sendable () -> Void) {
    self.keys = keys
    self.onRelease = onRelease
  }

  deinit { onRelease() }

  func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    try keys.deviceKey(for: id, at: now)
  }
}

/// Keeps what a handler was given.
final class Recorder: Sendable {
  private let received = Mutex<[Reception]>([])
  private let signal = Signal()

  var receptions: [Reception] { received.withLock { $0 } }

  func record(_ reception: Reception) {
    received.withLock { $0.append(reception) }
    signal.fire()
  }

  func wait() async { await signal.wait() }
}
