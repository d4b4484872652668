import PushCore
import PushDelivery
import PushSealer
import PushStandIn
import PushStore
import PushWorker
import TestSupport
import Testing

/// What swift-service-lifecycle asks of a service.
private protocol Service: Sendable {
  func run() async throws
}

extension Worker: Service {}
extension APNsClient: Service {}

/// A worker and its client beside a program's other services.
@Suite(.hangGuard) struct ServiceTests {
  @Test("run until their tasks are cancelled, and then the client is shut down")
  func cancelled() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    let worker = scene.worker()
    let services: [any Service] = [worker, scene.client]
    let group = Task {
      try await withThrowingTaskGroup { group in
        for service in services { group.addTask { try await service.run() } }
        try await group.waitForAll()
      }
    }
    try await scene.enqueue("At noon?")
    try await HangGuard.wait(while: worker.metrics.acknowledged == 0)
    group.cancel()
    try await group.value
    let device = try #require(await scene.store.device(named: "ada-1")).device
    let push = try #require(
      Sealer.anonymous(topic: scene.topic).seal(RemoteNotification(body: "Noon?"), to: [device]).first)
    await #expect(throws: DeliveryError(cause: .shutDown, mayBeDelivered: false)) {
      try await scene.client.send(push.addressedPush.push, to: phone.phone.address)
    }
  }

  @Test("a client's run ends when it is shut down, also before")
  func shutDown() async throws {
    let scene = try await Scene()
    let run = Task { await scene.client.run() }
    scene.client.shutdown()
    await run.value
    await scene.client.run()
  }
}
