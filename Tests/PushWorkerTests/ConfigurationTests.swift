import PushCore
import PushDelivery
import PushSealer
import PushWorker
import TestSupport
import Testing

/// A worker's configuration is checked when the worker is made.
@Suite(.hangGuard) struct ConfigurationTests {
  typealias Wrong = WrongProperty<WorkerConfiguration>

  private static let span = "must be from 0.0 seconds to a century"

  static let wrong: [Wrong] = [
    Wrong("batchSize: must be 1 or more") { $0.batchSize = 0 },
    Wrong("openJobs: must be 1 or more") { $0.openJobs = 0 },
    Wrong("pushesAtATime: must be 1 or more") { $0.pushesAtATime = -3 },
    Wrong("lease: must be from 3.0 seconds to a century") { $0.lease = .seconds(2) },
    Wrong("idleTime: must be from 0.001 seconds to a century") { $0.idleTime = .zero },
    Wrong("firstDelay: \(span)") { $0.firstDelay = .seconds(-1) },
    Wrong("maximumDelay: \(span)") { $0.maximumDelay = .seconds(Int64.max) },
    Wrong("maximumAttempts: must be 10 or more") { $0.maximumAttempts = 9 },
    Wrong("routePause: \(span)") { $0.routePause = .seconds(-1) },
    Wrong("slowRoutePause: \(span)") { $0.slowRoutePause = .seconds(-1) },
    Wrong("badDevicesInARow: must be 1 or more") { $0.badDevicesInARow = 0 },
    Wrong("outcomeTime: \(span)") { $0.outcomeTime = .seconds(-1) },
    Wrong("deadLetterTime: \(span)") { $0.deadLetterTime = .seconds(-1) },
    Wrong("unprovenTime: \(span)") { $0.unprovenTime = .seconds(-1) },
    Wrong("policy.pushType: must be alert, because each job has its own") {
      $0.policy.pushType = .background
    },
    Wrong("personLimit.count: must be 1 or more") { $0.personLimit = PersonLimit(0, within: .seconds(1)) },
    Wrong("personLimit.time: \(span)") {
      $0.personLimit = PersonLimit(1, within: .seconds(-1))
    },
  ]

  @Test(arguments: wrong) func isRefused(wrong: Wrong) throws {
    var configuration = WorkerConfiguration()
    wrong.change(&configuration)
    let error = #expect(throws: ConfigurationError.self) { try configuration.check() }
    #expect(try "\(#require(error))" == wrong.testDescription)
  }

  @Test("The usual one is taken") func isTaken() throws { try WorkerConfiguration().check() }

  @Test("A worker checks its own") func worker() async throws {
    let scene = try await Scene()
    var configuration = WorkerConfiguration()
    configuration.batchSize = 0
    #expect(throws: ConfigurationError.self) {
      try Worker(store: scene.store, apns: scene.client, senders: scene.senders, configuration: configuration)
    }
    scene.client.shutdown()
  }
}
