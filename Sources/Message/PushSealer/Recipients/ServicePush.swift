public import PushCore

/// A sealed message with its address, for the client of the service that carries it.
public enum ServicePush: Hashable, Sendable {
  /// A push for a client of APNs.
  case apns(AddressedPush)

  /// A message for your client of FCM.
  case fcm(AddressedMessage)
}

/// A job, and the service that will carry its message.
package struct ServiceJob: Sendable {
  package let job: SealJob
  package let service: PushService

  package init(_ job: SealJob, over service: PushService) { (self.job, self.service) = (job, service) }
}

/// A sealed message of either service.
package enum SealedMessage: Sendable {
  case apns(SealedNotification)
  case fcm(SealedDataMessage)

  /// The message, addressed to a device of the same service; nil if the services differ.
  func addressed(to address: PushAddress) -> ServicePush? {
    switch (self, address) {
    case (.apns(let push), .apns(let address)): .apns(AddressedPush(push, to: address))
    case (.fcm(let message), .fcm(let address)): .fcm(AddressedMessage(message, to: address))
    case (.apns, .fcm), (.fcm, .apns): nil
    }
  }
}
