import PushEnvelope
import PushKeys
import PushPayload
import PushStandIn
import PushStore
import PushTesting
import PushWorker
import TestSupport
import Testing

/// Enrolments that an application hands in, in a row.
@Suite(.hangGuard) struct EnrolmentTests {
  private let store: MemoryStore
  private let scene: Scene

  init() async throws {
    store = MemoryStore()
    scene = try await Scene(store: store)
  }

  private func handIn(
    _ body: [UInt8], isNew: Bool = true, possession: String = "keyAndToken"
  ) async -> Int64 {
    await store.insert(
      EnrolmentRow([
        .registration: Array("ada-1".utf8), .person: Array("ada".utf8), .body: body,
        .isNew: [UInt8(ascii: isNew ? "1" : "0")], .possession: Array(possession.utf8),
      ]))
  }

  private func work(until end: @escaping @Sendable (WorkerMetrics) -> Bool) async throws {
    let audience = scene.audience
    try await scene.work({ $0.audience = audience }, until: { end($0) })
  }

  @Test("a device proves what was pushed to it, and then gets what its person is told")
  func pushed() async throws {
    let phone = try EnrolledPhone(scene)
    let first = await handIn(try phone.enrolment())
    try await work { $0.pending == 1 }
    #expect(await store.answer(of: first) == .pending(request: nil))
    let second = await handIn(try await phone.proof())
    try await work { $0.enrolled == 1 }
    #expect(await store.answer(of: second) == .taken(.registered))
    try await scene.enqueue("At noon?")
    try await scene.work { $0.acknowledged == 1 }
    #expect(try await phone.phone.shown.body == "At noon?")
  }

  @Test("with the key alone, the application gets the request for its answer")
  func keyAlone() async throws {
    let phone = try EnrolledPhone(scene)
    let row = await handIn(try phone.enrolment(), possession: "keyAlone")
    try await work { $0.pending == 1 }
    guard case .pending(let request?) = await store.answer(of: row) else {
      Issue.record("there is no request")
      return
    }
    #expect(
      try Enrolment(
        parsing: phone.answer(to: Array(request.utf8)), for: scene.topic, audience: scene.audience
      ).proof != nil)
    #expect(scene.apns.pushes.isEmpty)
  }

  @Test("an enrolment for another backend is refused, and says why")
  func otherAudience() async throws {
    let phone = try EnrolledPhone(scene)
    let other = try Audience("https://other.example.com")
    let row = await handIn(try phone.keys.enrol(at: phone.phone.address, for: other).encoded())
    try await work { $0.refused == 1 }
    #expect(await store.answer(of: row) == .refused(reason: SignedSetError.otherAudience.description))
  }

  @Test("a row that asks for nothing is refused with its column")
  func wrongRow() async throws {
    let phone = try EnrolledPhone(scene)
    let row = await handIn(try phone.enrolment(), possession: "both")
    try await work { $0.refused == 1 }
    #expect(await store.answer(of: row) == .refused(reason: "possession: must be keyAndToken or keyAlone"))
  }

  @Test("a flood of enrolments holds up no job, and each has its answer")
  func flood() async throws {
    let failing = FailingStore(store)
    let scene = try await Scene(store: failing)
    let phone = try await scene.phone()
    var rows: [Int64] = []
    for number in 0..<2000 { rows.append(await handIn(Array(#"{"v":\#(number)}"#.utf8))) }
    failing.holdAnswers()
    try await scene.enqueueIn(store, "At noon?")
    try await scene.work { [audience = scene.audience] in
      $0.audience = audience
    } until: { metrics in
      guard metrics.acknowledged == 1 else { return false }
      if metrics.refused == 0 { failing.releaseAnswers() }
      return metrics.refused == 2000
    }
    #expect(try await phone.phone.shown.body == "At noon?")
    for row in rows {
      guard case .refused(let reason) = await store.answer(of: row) else {
        Issue.record("row \(row) has no answer")
        return
      }
      #expect(!reason.isEmpty)
    }
  }

  @Test("while APNs has no time for the proof request, the enrolment has no answer")
  func busy() async throws {
    let phone = try EnrolledPhone(scene)
    scene.apns.inject(.refusal(.serviceUnavailable), to: .all)
    let row = await handIn(try phone.enrolment())
    let apns = scene.apns
    try await work { _ in !apns.pushes.isEmpty }
    #expect(await store.answer(of: row) == nil)
  }
}
