private import Foundation
private import Locks

/// A handler that iOS passes to the app or its extension, which must call it exactly once and in time.
///
/// The first call gives the answer. A later call changes nothing and is a fault.
final class Handler<Answer: Sendable>: Sendable {
  private struct State {
    var answer: Answer?
    var caller: ObjectIdentifier?
    var waiters: [Int: CheckedContinuation<Answer, any Error>] = [:]
    var nextWaiter = 0
    var faults: [HandlerFault] = []
  }

  private let state = Mutex(State())
  private let answered = DispatchSemaphore(value: 0)

  /// How long ``end(with:)`` waits for a call that another thread is about to make.
  private static var grace: DispatchTimeInterval { .milliseconds(200) }

  /// The answer; nil until there is one.
  var answer: Answer? { state.withLock(\.answer) }

  /// The mistakes with the handler so far.
  var faults: [HandlerFault] { state.withLock(\.faults) }

  /// Waits for the answer.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before there is one.
  func wait() async throws -> Answer {
    let waiter = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result = state.withLock { state -> Result<Answer, any Error>? in
          if let answer = state.answer { return .success(answer) }
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiters[waiter] = continuation
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.waiters.removeValue(forKey: waiter) }
      continuation?.resume(throwing: CancellationError())
    }
  }

  /// Takes a call of the handler, on any thread; returns whether it is the first.
  @discardableResult
  func call(with answer: Answer) -> Bool {
    let caller = ObjectIdentifier(Thread.current)
    let isFirst = settle(with: answer, by: caller)
    if !isFirst { state.withLock { $0.faults.append(Self.fault(first: $0.caller, second: caller)) } }
    return isFirst
  }

  /// Gives the answer without a call, where no call is expected; returns whether there was no answer before.
  @discardableResult
  func settle(with answer: Answer) -> Bool { settle(with: answer, by: nil) }

  /// Ends the handler's time: if the handler was not called, gives `answer` and records a fault, and returns true.
  ///
  /// Another thread may be about to call the handler, so it gets a moment's grace.
  @discardableResult
  func end(with answer: Answer) -> Bool {
    guard self.answer == nil, answered.wait(timeout: .now() + Self.grace) == .timedOut else { return false }
    return settle(with: answer, by: nil, fault: .neverCalled)
  }

  private func settle(with answer: Answer, by caller: ObjectIdentifier?, fault: HandlerFault? = nil) -> Bool {
    let waiters = state.withLock { state -> [Int: CheckedContinuation<Answer, any Error>]? in
      guard state.answer == nil else { return nil }
      (state.answer, state.caller) = (answer, caller)
      if let fault { state.faults.append(fault) }
      defer { state.waiters = [:] }
      return state.waiters
    }
    guard let waiters else { return false }
    answered.signal()
    for waiter in waiters.values { waiter.resume(returning: answer) }
    return true
  }

  /// The fault of a call that comes after the answer was settled, by a call of `first` or without one.
  private static func fault(first: ObjectIdentifier?, second: ObjectIdentifier) -> HandlerFault {
    guard let first else { return .calledLate }
    return first == second ? .calledTwice : .calledFromTwoThreads
  }
}

/// A mistake with a handler that iOS passes to an extension or to the app's delegate.
public enum HandlerFault: String, Error, Sendable {
  /// The handler was not called in time.
  case neverCalled = "never-called"
  /// The handler was called again.
  case calledTwice = "called-twice"
  /// The handler was called again from another thread, which a flag without a lock does not prevent.
  case calledFromTwoThreads = "called-from-two-threads"
  /// The handler was first called after its time was over.
  case calledLate = "called-late"
}

extension HandlerFault: CustomStringConvertible {
  /// What the mistake is.
  public var description: String {
    switch self {
    case .neverCalled: "the handler was not called in time"
    case .calledTwice: "the handler was called again"
    case .calledFromTwoThreads: "the handler was called again from another thread"
    case .calledLate: "the handler was first called after its time was over"
    }
  }
}
