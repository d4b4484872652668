import Foundation
import Locks
import PushFiles
import TestSupport
import Testing

/// A process is not suspended while it holds a lock.
@Suite(.hangGuard)
struct ExpiringActivityTests {
  @Test("the system's block runs until the activity ends")
  func granted() async throws {
    let system = FakeSystem()
    let activity = try ExpiringActivity(by: system.request)
    #expect(system.returned == 0)
    activity.end()
    try await HangGuard.wait(while: system.returned == 0)
  }

  @Test("a process that is about to be suspended begins nothing")
  func refused() async throws {
    let system = FakeSystem(isExpired: true)
    #expect(throws: FileError.busy) { try ExpiringActivity(by: system.request) }
    try await HangGuard.wait(while: system.returned == 0)
  }

  @Test("when time is up, the block that says so returns at once, and the other at the end")
  func expired() async throws {
    let system = FakeSystem()
    let activity = try ExpiringActivity(by: system.request)
    system.expire()
    #expect(system.returned == 1)
    activity.end()
    try await HangGuard.wait(while: system.returned == 1)
  }

  @Test("activities of several threads do not wait for each other")
  func several() async throws {
    let system = FakeSystem()
    let activities = try (0..<8).map { _ in try ExpiringActivity(by: system.request) }
    for activity in activities.reversed() { activity.end() }
    try await HangGuard.wait(while: system.returned < 8)
  }
}

/// Calls blocks on threads of their own, as the system does.
private final class FakeSystem: Sendable {
  private let isExpired: Bool
  private let state = Mutex(State())

  private struct State {
    var block: (@Sendable (Bool) -> Void)?
    var returned = 0
  }

  init(isExpired: Bool = false) { self.isExpired = isExpired }

  /// How many calls of blocks have returned.
  var returned: Int { state.withLock { $0.returned } }

  func request(_ block: @escaping @Sendable (Bool) -> Void) {
    state.withLock { $0.block = block }
    Thread { [self] in call(block, isExpired: isExpired) }.start()
  }

  /// Calls the last block once more, because time is up.
  func expire() {
    if let block = state.withLock({ $0.block }) { call(block, isExpired: true) }
  }

  private func call(_ block: @Sendable (Bool) -> Void, isExpired: Bool) {
    block(isExpired)
    state.withLock { $0.returned += 1 }
  }
}
