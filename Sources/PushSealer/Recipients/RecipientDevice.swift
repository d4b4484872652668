public import PushEnvelope
public import PushKeys

/// A device as a backend knows it.
public struct EnrolledDevice: Hashable, Sendable {
  /// Where APNs finds it.
  public var token: DeviceToken

  /// The public keys that it enrolled; null if it has none, so that nothing can be sealed to it.
  public var keys: PublicKeySet?

  /// The app that enrolled; null if the backend serves only one.
  public var topic: Topic?

  /// Which of APNs' environments the token is for; null if the backend uses only one.
  public var environment: APNsEnvironment?

  /// Describes a device.
  public init(
    token: DeviceToken, keys: PublicKeySet?, topic: Topic? = nil, environment: APNsEnvironment? = nil
  ) {
    self.token = token
    self.keys = keys
    self.topic = topic
    self.environment = environment
  }
}

/// The environments that APNs has, each with tokens of its own.
public enum APNsEnvironment: String, Sendable, CaseIterable {
  /// For apps that Xcode installed.
  case sandbox

  /// For TestFlight and the App Store.
  case production
}
