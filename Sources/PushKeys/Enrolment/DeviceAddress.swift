public import PushEnvelope

/// Where a device's app is found: what APNs needs to know.
public struct DeviceAddress: Hashable, Sendable {
  /// The app.
  public let topic: Topic

  /// The environment that the token is for.
  public let environment: APNsEnvironment

  /// The app on the device.
  public let token: DeviceToken

  /// Puts an address together.
  public init(topic: Topic, environment: APNsEnvironment, token: DeviceToken) {
    self.topic = topic
    self.environment = environment
    self.token = token
  }
}
