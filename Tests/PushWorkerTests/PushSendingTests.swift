import PushCore
import PushDelivery
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import Synchronization
import TestSupport
import Testing

/// A worker with another client than `APNsClient`.
@Suite(.hangGuard) struct PushSendingTests {
  /// Answers all pushes itself.
  private final class Recorder: PushSending {
    let answer: Result<APNsResponse, DeliveryError>
    let pushes = Mutex<[AddressedPush]>([])

    init(answer: APNsResponse = APNsResponse(status: 200)) { self.answer = .success(answer) }

    init(failing cause: DeliveryError.Cause) {
      answer = .failure(DeliveryError(cause: cause, mayBeDelivered: false))
    }

    func send(_ push: AddressedPush) async throws(DeliveryError) -> APNsResponse {
      pushes.withLock { $0.append(push) }
      return try answer.get()
    }
  }

  /// Lets a worker that sends with `recorder` work until `end` is true.
  private func work(
    _ scene: Scene, sending recorder: Recorder, until end: (WorkerMetrics) -> Bool
  ) async throws {
    var configuration = WorkerConfiguration()
    configuration.idleTime = .milliseconds(20)
    configuration.audience = scene.audience
    configuration.firstDelay = .milliseconds(1)
    let worker = try Worker(
      store: scene.store, apns: recorder, senders: scene.senders, configuration: configuration,
      report: scene.note)
    let run = Task { try await worker.run() }
    try await HangGuard.wait(while: !end(worker.metrics))
    worker.stop()
    try await run.value
  }

  @Test("jobs go through it, and are done")
  func jobs() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    for _ in 0..<20 { try await scene.enqueue("At noon?") }
    let recorder = Recorder()
    try await work(scene, sending: recorder) { $0.acknowledged == 20 }
    let pushes = recorder.pushes.withLock(\.self)
    #expect(pushes.count == 20 && pushes.allSatisfy { $0.address == phone.phone.address && $0.isProven })
    #expect(scene.apns.pushes.isEmpty)
  }

  @Test("nothing more is sent to a device that it says APNs no longer knows")
  func unregistered() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    try await scene.enqueue("At noon?")
    let time = UnixTime.now.advanced(by: .seconds(60))
    let recorder = Recorder(answer: APNsResponse(status: 410, reason: .unregistered, unregisteredAt: time))
    try await work(scene, sending: recorder) { $0.removed == 1 && $0.acknowledged == 1 }
    #expect(try await scene.store.device(named: "ada-1")?.isReachable == false)
  }

  @Test("what it says of answers that are not APNs' stops the route, and keeps jobs and devices")
  func strangers() async throws {
    for cause in [
      DeliveryError.Cause.notAPNs("status 404"), .equalRefusals(.topicDisallowed, inARow: 100),
    ] {
      let scene = try await Scene()
      _ = try await scene.phone()
      try await scene.enqueue("At noon?")
      try await work(scene, sending: Recorder(failing: cause)) { $0.retried == 1 }
      #expect(try await scene.store.device(named: "ada-1")?.isReachable == true)
      let left = try await scene.store.statistics()
      #expect(left.ready + left.delayed == 1 && left.dead == 0)
      let reason =
        cause == .notAPNs("status 404")
        ? "what answered is not APNs: status 404"
        : "it refused one push after the other: TopicDisallowed"
      #expect(scene.stops == [reason])
    }
  }

  @Test("an answer 410 without APNs' reason keeps jobs and devices")
  func goneWithoutReason() async throws {
    let scene = try await Scene()
    _ = try await scene.phone()
    try await scene.enqueue("At noon?")
    try await work(scene, sending: Recorder(answer: APNsResponse(status: 410))) { $0.retried == 1 }
    #expect(try await scene.store.device(named: "ada-1")?.isReachable == true)
  }

  @Test("proof requests go through it")
  func proofRequests() async throws {
    let store = MemoryStore()
    let scene = try await Scene(store: store)
    let phone = try EnrolledPhone(scene)
    _ = await store.handIn(try phone.enrolment(), as: "ada-1", isNew: true, possession: "keyAndToken")
    let recorder = Recorder()
    try await work(scene, sending: recorder) { $0.asked == 1 }
    let pushes = recorder.pushes.withLock(\.self)
    #expect(pushes.map(\.address) == [phone.phone.address] && pushes.allSatisfy { !$0.isProven })
  }
}
