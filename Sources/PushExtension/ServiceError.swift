/// Why a service has no receiver.
public enum ServiceError: Error, Equatable, Sendable {
  /// The subclass does not override ``SealedNotificationService/makeReceiver()``.
  case noReceiver
}
