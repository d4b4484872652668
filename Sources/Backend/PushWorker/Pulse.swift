package import PushCore
private import Synchronization

/// Whether a program's tasks still run: one of them beats, and any thread can see when none has for too long.
///
/// It says nothing about what the tasks wait for: a database that does not answer is no reason to start a program again.
package final class Pulse: Sendable {
  private let clock: any PushClock
  private let patience: Duration
  private let last: Mutex<Duration>

  /// Begins with a beat; after `patience` without another, the program is stuck.
  package init(patience: Duration = .seconds(30), clock: any PushClock = SystemClock()) {
    self.clock = clock
    self.patience = patience
    last = Mutex(clock.uptime)
  }

  /// Says that tasks run.
  package func beat() {
    let now = clock.uptime
    last.withLock { $0 = now }
  }

  /// How long no task has run, if that is too long; nil while they run.
  package var silence: Duration? {
    let silence = clock.uptime - last.withLock(\.self)
    return silence > patience ? silence : nil
  }
}
