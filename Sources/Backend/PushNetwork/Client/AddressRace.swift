package import PushCore

/// Which of a host's addresses to connect to (RFC 8305): an attempt begins with each of them, 250 ms after the one before or
/// as soon as that fails, and the first that gets through wins.
///
/// So an address that is silent costs a quarter of a second, and not the whole time that connecting may take.
package enum AddressRace {
  /// How long an attempt is the last one (RFC 8305, 5: the Connection Attempt Delay).
  private static let headStart = Duration.milliseconds(250)

  private enum Event<Prize: Sendable>: Sendable {
    case ended(Result<Prize, HTTP2Error>)
    /// The last of so many attempts has had its head start.
    case headStartIsOver(of: Int)
  }

  /// Makes attempts until one succeeds, and ends the others.
  ///
  /// - Parameters:
  ///   - addresses: The first one is tried first.
  ///   - lose: Gives up what a later attempt got although another had won.
  /// - Throws: The error of the attempt that failed last; ``HTTP2Error/cancelled`` if the task is cancelled.
  package static func winner<Address: Sendable, Prize: Sendable>(
    among addresses: [Address], clock: any PushClock,
    attempt: @escaping @Sendable (Address) async throws(HTTP2Error) -> Prize,
    losing lose: @escaping @Sendable (Prize) async -> Void
  ) async throws(HTTP2Error) -> Prize {
    let result = await withTaskGroup(of: Event<Prize>.self) { group -> Result<Prize, HTTP2Error> in
      var rest = addresses[...]
      var (begun, running) = (0, 0)
      var winner: Prize?
      var failure = HTTP2Error.timeout

      func begin() {
        guard winner == nil, !Task.isCancelled, let address = rest.popFirst() else { return }
        (begun, running) = (begun + 1, running + 1)
        group.addTask {
          do throws(HTTP2Error) {
            return .ended(.success(try await attempt(address)))
          } catch {
            return .ended(.failure(error))
          }
        }
        guard !rest.isEmpty else { return }
        let (number, end) = (begun, clock.uptime + headStart)
        group.addTask {
          try? await clock.sleep(until: end)
          return .headStartIsOver(of: number)
        }
      }

      begin()
      while running > 0, let event = await group.next() {
        switch event {
        case .headStartIsOver(let number): if number == begun { begin() }
        case .ended(let result):
          running -= 1
          switch result {
          case .success(let prize) where winner == nil:
            winner = prize
            group.cancelAll()
          case .success(let prize): await lose(prize)
          case .failure(let error):
            if winner == nil { failure = error }
            begin()
          }
        }
      }
      group.cancelAll()
      return winner.map { .success($0) } ?? .failure(Task.isCancelled ? .cancelled : failure)
    }
    return try result.get()
  }
}
