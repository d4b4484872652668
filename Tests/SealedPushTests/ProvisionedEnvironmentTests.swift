import PushCore
import SealedPush
import Testing

/// A provisioning profile says which tokens an app gets, whatever its configuration is called.
struct ProvisionedEnvironmentTests {
  private func profile(_ entitlements: String) -> [UInt8] {
    let list =
      "<plist version=\"1.0\"><dict><key>Entitlements</key>\n<dict>\n\(entitlements)\n</dict></dict></plist>"
    // A signature surrounds the text.
    return [0x30, 0x82, 0xff, 0x00] + Array(list.utf8) + [0xa0, 0x82, 0x00, 0xfe]
  }

  @Test(
    "its entitlement is the environment",
    arguments: [("development", APNsEnvironment.sandbox), ("production", .production)])
  func environment(word: String, environment: APNsEnvironment) {
    for key in ["aps-environment", "com.apple.developer.aps-environment"] {
      let profile = profile("<key>\(key)</key>\n\t\t<string>\(word)</string>\n<key>a</key><true/>")
      #expect(APNsEnvironment(provisioningProfile: profile) == environment)
    }
  }

  @Test(
    "a profile without it has no environment",
    arguments: [
      "", "<key>aps-environment</key>", "<key>aps-environment</key><string>other</string>",
      "<key>aps-environment</key><true/><string>production</string>",
      "<key>other</key><string>development</string>",
    ])
  func none(entitlements: String) {
    #expect(APNsEnvironment(provisioningProfile: profile(entitlements)) == nil)
  }

  @Test("no prefix of a profile is read beyond its end")
  func prefixes() {
    let profile = profile("<key>aps-environment</key><string>development</string>")
    for count in 0..<profile.count {
      let environment = APNsEnvironment(provisioningProfile: Array(profile.prefix(count)))
      #expect(environment == nil || environment == .sandbox)
    }
  }
}
