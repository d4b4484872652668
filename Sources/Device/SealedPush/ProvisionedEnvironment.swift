public import PushCore

#if canImport(Darwin)
  private import Foundation
#endif

extension APNsEnvironment {
  /// Reads the environment of an app's device tokens from its provisioning profile, the file `embedded.mobileprovision`.
  ///
  /// The profile is signed data around a property list in XML, whose entitlement `aps-environment` is `development` for tokens
  /// of the sandbox. Nil if it has no such entitlement: then the app gets no token.
  public init?(provisioningProfile bytes: [UInt8]) {
    let key = "aps-environment</key>".utf8
    guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: key) }) else { return nil }
    let value = bytes[(start + key.count)...].drop { $0 <= UInt8(ascii: " ") }
    switch value {
    case _ where value.starts(with: "<string>development</string>".utf8): self = .sandbox
    case _ where value.starts(with: "<string>production</string>".utf8): self = .production
    default: return nil
    }
  }

  #if canImport(Darwin)
    /// The environment of this app's device tokens.
    ///
    /// Xcode's builds have a provisioning profile, also those of the configuration Release. TestFlight's and the App Store's
    /// have none: their tokens are of production. Those of a simulator are of the sandbox.
    public static var ofThisApp: APNsEnvironment {
      #if targetEnvironment(simulator)
        return .sandbox
      #else
        let profile = ["mobileprovision", "provisionprofile"].lazy
          .compactMap { Bundle.main.url(forResource: "embedded", withExtension: $0) }.first
        let bytes = profile.flatMap { try? Data(contentsOf: $0) }.map { [UInt8]($0) }
        return bytes.flatMap(APNsEnvironment.init(provisioningProfile:)) ?? .production
      #endif
    }
  #endif
}
