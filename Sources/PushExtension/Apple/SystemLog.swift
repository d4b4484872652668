#if canImport(os)
  internal import Foundation
  public import PushReceiver
  private import os

  /// Writes the result of each push to the system's log, where Console and `log stream` show it.
  ///
  /// It writes reasons, the names of steps and their codes, all of them readable without a debugger. There is no plaintext in it, no
  /// title, no envelope and no id. An opened push is an information, which the system does not keep; what went wrong is a
  /// notice, which it keeps for a while.
  public struct SystemLog: ReceptionObserver {
    private let logger: Logger

    /// Makes a log.
    ///
    /// The subsystem is the bundle id of the app or of its extension; Console filters by it and by the category.
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

    /// Writes why there is no receiver, by the error's domain and code, which have no text; for
    /// ``SealedNotificationService/didFailToMakeReceiver(_:)``.
    public func observe(noReceiver error: any Error) {
      let error = error as NSError
      logger.error("no receiver: \(error.domain, privacy: .public) \(error.code, privacy: .public)")
    }
  }
#endif
