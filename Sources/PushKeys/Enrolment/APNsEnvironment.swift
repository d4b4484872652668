/// The environments that APNs has, each with tokens of its own.
public enum APNsEnvironment: String, Sendable, CaseIterable {
  /// For apps that Xcode installed.
  case sandbox

  /// For TestFlight and the App Store.
  case production
}
