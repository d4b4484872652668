import PushNetwork
import PushTesting
import Synchronization
import TestSupport
import Testing

/// Which of a host's addresses is connected to (RFC 8305).
@Suite(.hangGuard) struct AddressRaceTests {
  /// What happens to attempts, by their addresses.
  private final class Track: Sendable {
    private let state = Mutex<(begun: [String], lost: [String])>(([], []))
    private let clock: ManualClock

    init(_ clock: ManualClock) { self.clock = clock }

    var begun: [String] { state.withLock(\.begun) }
    var lost: [String] { state.withLock(\.lost) }

    func lose(_ prize: String) { state.withLock { $0.lost.append(prize) } }

    /// Fails at an address that begins with "bad", never ends at "silent", gets through after a second at "late", and at
    /// once at any other.
    func attempt(_ address: String) async throws(HTTP2Error) -> String {
      state.withLock { $0.begun.append(address) }
      if address.hasPrefix("bad") { throw .invalidHost }
      let isLate = address.hasPrefix("late")
      guard isLate || address.hasPrefix("silent") else { return address }
      do { try await clock.sleep(for: .seconds(isLate ? 1 : 3600)) } catch { throw .cancelled }
      if isLate { return address }
      throw .timeout
    }
  }

  private let clock = ManualClock(.now)
  private let track: Track

  init() { track = Track(clock) }

  private func race(_ addresses: [String]) async throws(HTTP2Error) -> String {
    let track = track
    return try await AddressRace.winner(among: addresses, clock: clock) {
      address async throws(HTTP2Error) in
      try await track.attempt(address)
    } losing: {
      track.lose($0)
    }
  }

  @Test("The first address that gets through wins, and no other is tried")
  func first() async throws {
    #expect(try await race(["good 1", "good 2"]) == "good 1")
    #expect(track.begun == ["good 1"])
  }

  @Test("One that fails is followed by the next at once")
  func failing() async throws {
    #expect(try await race(["bad 1", "bad 2", "good"]) == "good")
    #expect(track.begun == ["bad 1", "bad 2", "good"])
  }

  @Test("One that is silent has a quarter of a second before the next, and goes on")
  func silent() async throws {
    let result = Task { try await race((1...15).map { "silent \($0)" } + ["good"]) }
    for count in 1...15 {
      // Each attempt sleeps, and so does the head start of the last one.
      await clock.waitForSleepers(count: count + 1)
      #expect(track.begun.count == count)
      clock.advance(by: .milliseconds(250))
    }
    #expect(try await result.value == "good")
  }

  @Test("Of two that get through together, one wins, and what the other got is given up")
  func together() async throws {
    let result = Task { try await race(["late 1", "late 2"]) }
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .milliseconds(250))
    await clock.waitForSleepers(count: 2)
    clock.advance(by: .seconds(1))
    let winner = try await result.value
    #expect(track.lost.count == 1 && Set(track.lost + [winner]) == ["late 1", "late 2"])
  }

  @Test("The error is the last attempt's")
  func allFail() async throws {
    await #expect(throws: HTTP2Error.invalidHost) { try await race(["bad 1", "bad 2"]) }
  }

  @Test("A cancelled task gets no connection")
  func cancelled() async throws {
    let result = Task { try await race(["silent"]) }
    await clock.waitForSleepers()
    result.cancel()
    await #expect(throws: HTTP2Error.cancelled) { try await result.value }
  }
}
