import TestSupport
import Testing

@testable import PushNetwork

/// The thread that runs the actors of connections.
@Suite(.hangGuard) struct EventLoopTests {
  private actor Resident: TurnHandler {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init() throws { loop = try .start() }

    var isAtHome: Bool { loop.isCurrent }

    func turnEnded() {}
  }

  @Test("The loop's actors run on its thread, and nobody else does")
  func thread() async throws {
    let resident = try Resident()
    #expect(await resident.isAtHome)
    #expect(!resident.loop.isCurrent)
  }

  @Test("What another thread asks for is done on the loop's thread")
  func perform() async throws {
    let resident = try Resident()
    let isAtHome = await withCheckedContinuation { continuation in
      resident.perform { continuation.resume(returning: $0.isAtHome) }
    }
    #expect(isAtHome)
  }

  @Test("What is asked for soon is done on the loop's thread, also if nothing else happens there")
  func soon() async throws {
    let resident = try Resident()
    let isAtHome = await withCheckedContinuation { continuation in
      resident.perform { resident in
        let loop = resident.loop
        loop.callSoon { continuation.resume(returning: loop.isCurrent) }
      }
    }
    #expect(isAtHome)
  }
}
