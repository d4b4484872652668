import PushCore
import PushStandIn
import TestSupport
import Testing

/// The stand-in's settings are checked when it starts.
@Suite(.hangGuard) struct SettingsTests {
  typealias Wrong = WrongProperty<APNsSettings>

  static let wrong: [Wrong] = [
    Wrong("settings: newTokensIn20Minutes: must be 1 or more") { $0.newTokensIn20Minutes = 0 },
    Wrong("settings: backgroundPushesInAnHour: must be 0 or more") { $0.backgroundPushesInAnHour = -1 },
    Wrong("settings: concurrentStreams: must be 1 to 2147483647") { $0.concurrentStreams = 0 },
    Wrong("settings: concurrentStreams: must be 1 to 2147483647") { $0.concurrentStreams = 1 << 31 },
    Wrong("settings: loggedPushes: must be 1 or more") { $0.loggedPushes = 0 },
  ]

  @Test(arguments: wrong) func isRefused(wrong: Wrong) async throws {
    var settings = APNsSettings()
    wrong.change(&settings)
    let error = await #expect(throws: StandInError.self) { try await APNsStandIn.start(settings: settings) }
    #expect(try "\(#require(error))" == wrong.testDescription)
  }
}
