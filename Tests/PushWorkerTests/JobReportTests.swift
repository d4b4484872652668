import PushCore
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// What a worker reports of each attempt.
@Suite(.hangGuard) struct JobReportTests {
  private func identity(of name: String, in scene: Scene) async throws -> Thumbprint {
    try #require(await scene.store.device(named: name)).identity
  }

  @Test("a job that is done names its message, and each device that has it")
  func done() async throws {
    let scene = try await Scene()
    _ = (try await scene.phone(), try await scene.phone(named: "ada-2"))
    let message = try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    let report = try #require(scene.reports.first)
    #expect(report.messageID == message && report.job == JobID(1) && report.ending == .done)
    #expect(
      report.devices == [
        try await identity(of: "ada-1", in: scene): .accepted,
        try await identity(of: "ada-2", in: scene): .accepted,
      ])
  }

  @Test("a job without devices is done, and names none")
  func withoutDevices() async throws {
    let scene = try await Scene()
    try await scene.enqueue("At noon?", to: "nobody")
    try await scene.work { $0.acknowledged == 1 }
    #expect(scene.reports.map(\.ending) == [.done] && scene.reports[0].devices.isEmpty)
  }

  @Test("each attempt says what became of each device, and earlier attempts' devices stay accepted")
  func retried() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    scene.apns.inject(.refusal(.internalServerError), to: .next(1), of: phones[1].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    let (first, second) = (
      try await identity(of: "ada-1", in: scene), try await identity(of: "ada-2", in: scene)
    )
    try #require(scene.reports.count == 2)
    let reason = "APNs: InternalServerError"
    #expect(scene.reports[0].ending == .retry(after: .milliseconds(1), reason: reason))
    #expect(scene.reports[0].devices == [first: .accepted, second: .postponed(reason: reason)])
    #expect(scene.reports[1].ending == .done)
    #expect(scene.reports[1].devices == [first: .accepted, second: .accepted])
  }

  @Test("a device that is gone, and one that is refused, are reported as such")
  func lost() async throws {
    let scene = try await Scene()
    let phones = [try await scene.phone(), try await scene.phone(named: "ada-2")]
    let (first, second) = (
      try await identity(of: "ada-1", in: scene), try await identity(of: "ada-2", in: scene)
    )
    scene.apns.advance(by: .seconds(600))
    phones[0].phone.deleteApp()
    scene.apns.inject(.refusal(.badDeviceToken), to: .next(1), of: phones[1].phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged + $0.discarded == 1 }
    #expect(
      scene.reports[0].devices == [first: .unregistered, second: .postponed(reason: "APNs: BadDeviceToken")])
  }

  @Test("a job that is discarded says why")
  func discarded() async throws {
    let scene = try await Scene()
    let phone = try await scene.phone()
    scene.apns.inject(.refusal(.payloadTooLarge), to: .next(1), of: phone.phone.token)
    try await scene.enqueue("At noon?")
    try await scene.work { $0.discarded == 1 }
    let reason = "APNs: PayloadTooLarge"
    #expect(scene.reports.map(\.ending) == [.discarded(reason: reason)])
    #expect(
      scene.reports[0].devices == [try await identity(of: "ada-1", in: scene): .failed(reason: reason)])
  }
}
