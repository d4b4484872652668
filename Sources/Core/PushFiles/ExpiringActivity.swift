private import Dispatch
private import Locks

#if canImport(Darwin) && !os(macOS)
  private import Foundation
#endif

/// Work that must end before the system suspends the process: iOS kills a process that it has suspended while the process holds
/// a lock on a file in an App Group (0xdead10cc).
package final class ExpiringActivity: Sendable {
  /// A request to go on for a while, which calls a block on another thread.
  ///
  /// With `false`, the process is not suspended before the block returns, or before it is called again with `true` because time
  /// is up. With `true` at first, the process is about to be suspended.
  package typealias Request = (_ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

  private let isGranted = Mutex<Bool?>(nil)
  private let answered = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)

  /// Begins an activity.
  ///
  /// - Throws: ``FileError/busy`` if the process is about to be suspended.
  package init(by request: Request) throws(FileError) {
    request { [self] isExpired in
      let isFirst = isGranted.withLock { isGranted in
        guard isGranted == nil else { return false }
        isGranted = !isExpired
        return true
      }
      // When time is up, a lock that is held is released within milliseconds.
      guard isFirst else { return }
      answered.signal()
      if !isExpired { ended.wait() }
    }
    answered.wait()
    if isGranted.withLock({ $0 }) == false { throw .busy }
  }

  /// Ends the activity; call it once.
  package func end() { ended.signal() }

  /// Begins an activity by the system's request; nil where processes are not suspended.
  ///
  /// - Throws: As ``init(by:)``.
  static func begin() throws(FileError) -> ExpiringActivity? {
    #if canImport(Darwin) && !os(macOS)
      return try ExpiringActivity { block in
        ProcessInfo.processInfo.performExpiringActivity(withReason: "a lock on shared files", using: block)
      }
    #else
      return nil
    #endif
  }
}
