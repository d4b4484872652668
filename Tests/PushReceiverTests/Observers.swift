import Dispatch
import Locks
import PushCore
import PushReceiver
import PushTesting

/// Keeps what an observer is told.
final class Notes: ReceptionObserver {
  private let state = Mutex<(reports: [ReceptionReport], failures: [String])>(([], []))
  private let signal = Signal()
  private let failed = Signal()

  var reports: [ReceptionReport] { state.withLock(\.reports) }

  var failures: [String] { state.withLock(\.failures) }

  func observe(_ report: ReceptionReport) {
    state.withLock { $0.reports.append(report) }
    signal.fire()
  }

  func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport) {
    state.withLock { $0.failures.append("\(step): \(failure.code)") }
    failed.fire()
  }

  /// Waits for one more failure of a step.
  func waitForFailure() async { await failed.wait() }

  /// Waits for one more report.
  func wait() async { await signal.wait() }
}

/// An observer that blocks until it is opened.
final class Gate: ReceptionObserver {
  private let arrival = Signal()
  private let gate = DispatchSemaphore(value: 0)

  func observe(_ report: ReceptionReport) {
    arrival.fire()
    gate.wait()
  }

  /// Waits until somebody stands before the gate.
  func wait() async { await arrival.wait() }

  func open() { gate.signal() }
}

extension Recorder {
  /// A number that goes up.
  final class Count: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
  }
}
