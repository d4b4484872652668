/// What came of work that had a limit.
enum Limited<Value: Sendable>: Sendable {
  /// It was done in time.
  case done(Value)
  /// It threw.
  case failed(any Error)
  /// The time was over, or the one who waits was cancelled; what the work gives later is dropped.
  case late
}

extension ReceiverClock {
  /// Runs `work` for at most `limit`, and does not wait for it any longer, even if it never ends.
  func run<Value: Sendable>(
    within limit: Duration, _ work: @escaping @Sendable () async throws -> Value
  ) async -> Limited<Value> {
    let end = uptime + limit
    let answer = FirstAnswer<Limited<Value>>()
    let worker = Task.detached(executorPreference: StepExecutor.shared) {
      do {
        answer.give(.done(try await work()))
      } catch {
        answer.give(.failed(error))
      }
    }
    let timer = Task.detached {
      try? await self.sleep(until: end)
      answer.give(.late)
    }
    return await withTaskCancellationHandler {
      let result = await answer.wait()
      timer.cancel()
      worker.cancel()
      return result
    } onCancel: {
      answer.give(.late)
    }
  }
}
