#if canImport(os)
  internal import Foundation
  public import PushReceiver
  private import os

  /// Writes the result of each push to the system's log, where Console and `log stream` show it.
  ///
  /// It writes reasons, the names of steps and their codes, and marks them as public, so that a release build shows
  /// them too. It writes no plaintext, title, envelope or ID. An opened push has the level `info`, which the system
  /// does not keep on disk. A push that did not open and a step that failed have the level `notice`, which the system
  /// keeps.
  public struct SystemLog: ReceptionObserver {
    private let logger: Logger

    /// Makes a log.
    ///
    /// The subsystem is the bundle ID of the app or of its extension; Console filters by it and by the category.
    public init(subsystem: String, category: String = "SealedPush") {
      logger = Logger(subsystem: subsystem, category: category)
    }

    /// Writes the result of a push.
    public func observe(_ report: ReceptionReport) {
      let summary = report.summary
      if report.degradeReason == nil {
        logger.info("\(summary, privacy: .public)")
      } else {
        logger.notice("\(summary, privacy: .public)")
      }
    }

    /// Writes that a step failed.
    public func observe(_ failure: StepFailure, of step: String, for report: ReceptionReport) {
      logger.notice("step \(step, privacy: .public): \(failure.code, privacy: .public)")
    }

    /// Writes why there is no receiver: the error's domain and code, but not its text.
    ///
    /// Call it from ``SealedNotificationService/didFailToMakeReceiver(_:)``.
    public func observe(noReceiver error: any Error) {
      let error = error as NSError
      logger.error("no receiver: \(error.domain, privacy: .public) \(error.code, privacy: .public)")
    }
  }
#endif
