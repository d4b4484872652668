/// A service that carries messages to devices.
public enum PushService: String, Sendable, CaseIterable {
  /// Apple Push Notification service, for iPhones and other Apple devices.
  case apns

  /// Firebase Cloud Messaging, for Android.
  case fcm

  /// All services, for whoever only reads, or delivers through each.
  package static let every = Set(allCases)
}

/// The address of an app on a device, with the service that carries its messages.
public enum PushAddress: Hashable, Sendable {
  /// An app of APNs.
  case apns(DeviceAddress)

  /// An app of FCM.
  case fcm(FCMAddress)

  /// The service.
  public var service: PushService {
    switch self {
    case .apns: .apns
    case .fcm: .fcm
    }
  }

  /// The app: a bundle ID, or an application ID.
  public var topic: Topic {
    switch self {
    case .apns(let address): address.topic
    case .fcm(let address): address.topic
    }
  }

  /// The token.
  public var token: PushToken {
    switch self {
    case .apns(let address): .apns(address.token)
    case .fcm(let address): .fcm(address.token)
    }
  }

  /// What tells the service's tokens apart: APNs' environment, or `fcm`.
  package var environment: String {
    switch self {
    case .apns(let address): address.environment.rawValue
    case .fcm: service.rawValue
    }
  }

  /// The address at APNs; nil if FCM carries the messages.
  public var apns: DeviceAddress? {
    guard case .apns(let address) = self else { return nil }
    return address
  }
}

/// A service's identifier of an app on a device.
public enum PushToken: Hashable, Sendable {
  /// A device token of APNs.
  case apns(DeviceToken)

  /// A registration token of FCM.
  case fcm(FCMToken)

  /// The token as in an enrolment: lowercase hexadecimal, or FCM's text.
  public var text: String {
    switch self {
    case .apns(let token): token.text
    case .fcm(let token): token.text
    }
  }
}

extension PushToken: CustomStringConvertible {
  /// The size alone, as each service's token says it.
  public var description: String {
    switch self {
    case .apns(let token): token.description
    case .fcm(let token): token.description
    }
  }
}

/// An address of either service, or one that says which.
public protocol PushDestination: Sendable {
  /// The address with its service.
  var pushAddress: PushAddress { get }
}

extension DeviceAddress: PushDestination {
  /// The address, at APNs.
  public var pushAddress: PushAddress { .apns(self) }
}

extension FCMAddress: PushDestination {
  /// The address, at FCM.
  public var pushAddress: PushAddress { .fcm(self) }
}

extension PushAddress: PushDestination {
  /// The address itself.
  public var pushAddress: PushAddress { self }
}
