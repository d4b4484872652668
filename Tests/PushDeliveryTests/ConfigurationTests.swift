import PushCore
import PushDelivery
import TestSupport
import Testing

/// A client's configuration is checked when the client is made.
@Suite(.hangGuard) struct ConfigurationTests {
  typealias Wrong = WrongProperty<APNsConfiguration>

  private static let span = "must be from 0.0 seconds to a century"

  static let wrong: [Wrong] = [
    Wrong("retries.maximumAttempts: must be 1 or more") { $0.retries.maximumAttempts = 0 },
    Wrong("retries.totalTime: \(span)") { $0.retries.totalTime = .seconds(-1) },
    Wrong("retries.attemptTime: \(span)") {
      $0.retries.attemptTime = .nanoseconds(-1)
    },
    Wrong("retries.firstDelay: \(span)") { $0.retries.firstDelay = .seconds(Int64.max) },
    Wrong("retries.growth: must be a number from 1.0 to 1000.0") { $0.retries.growth = .nan },
    Wrong("retries.growth: must be a number from 1.0 to 1000.0") { $0.retries.growth = .infinity },
    Wrong("retries.growth: must be a number from 1.0 to 1000.0") { $0.retries.growth = 0.5 },
    Wrong("retries.maximumDelay: \(span)") { $0.retries.maximumDelay = .seconds(-1) },
    Wrong("retries.maximumReconnectDelay: \(span)") {
      $0.retries.maximumReconnectDelay = .seconds(-1)
    },
    Wrong("retries.jitter: must be a number from 0.0 to 1.0") { $0.retries.jitter = .nan },
    Wrong("retries.jitter: must be a number from 0.0 to 1.0") { $0.retries.jitter = 9 },
    Wrong("retries.jitter: must be a number from 0.0 to 1.0") { $0.retries.jitter = -0.1 },
    Wrong("retries.badDevicesInARow: must be 1 or more") { $0.retries.badDevicesInARow = 0 },
    Wrong("retries.equalRefusalsInARow: must be 1 or more") { $0.retries.equalRefusalsInARow = 0 },
    Wrong("retries.patience: \(span)") { $0.retries.patience = .seconds(-1) },
    Wrong("retries.actions[Forbidden]: \(span)") {
      $0.retries.actions[.forbidden] = .pauseRoute(.seconds(-1))
    },
    Wrong("retries.actionsByStatus[429]: \(span)") {
      $0.retries.actionsByStatus[429] = .pauseRoute(.seconds(-1))
    },
    Wrong("connections.maximum: must be 1 or more") { $0.connections.maximum = 0 },
    Wrong("connections.streams: must be 1 or more") { $0.connections.streams = -3 },
    Wrong("connections.fullTime: \(span)") { $0.connections.fullTime = .seconds(-1) },
    Wrong("connections.spareTime: \(span)") { $0.connections.spareTime = .seconds(-1) },
    Wrong("connections.maximumRoutes: must be 1 or more") { $0.connections.maximumRoutes = 0 },
    Wrong("applePort: must be 443 or 2197") { $0.applePort = 80 },
    Wrong("servers[production].port: must be 1 or more") {
      $0.servers[.production] = .init(host: "localhost", port: 0)
    },
    Wrong("additionalRoot: must be a certificate in PEM") {
      $0.additionalRoot = Array("no certificate".utf8)
    },
  ]

  @Test(arguments: wrong) func isRefused(wrong: Wrong) throws {
    var configuration = APNsConfiguration()
    wrong.change(&configuration)
    let error = #expect(throws: ConfigurationError.self) {
      try APNsClient(token: Scene.token(), configuration: configuration)
    }
    #expect(try "\(#require(error))" == wrong.testDescription)
  }

  @Test("What suits APNs, and the ends of each range, are taken")
  func isTaken() throws {
    var configuration = APNsConfiguration()
    try APNsClient(token: Scene.token(), configuration: configuration).shutdown()
    (configuration.retries.growth, configuration.retries.jitter) = (1000, 1)
    (configuration.retries.maximumAttempts, configuration.retries.badDevicesInARow) = (1, nil)
    (configuration.retries.totalTime, configuration.retries.firstDelay) = (.zero, .zero)
    (configuration.connections.maximum, configuration.connections.maximumRoutes) = (1, 1)
    try APNsClient(token: Scene.token(), configuration: configuration).shutdown()
  }
}
