public import PushCore

/// Something to deliver: a push and its address, or a value of your own that has them.
///
/// The value comes back with the result: a job to acknowledge to a queue, for example.
public protocol Deliverable: Sendable {
  /// The push and its address; it is asked for once.
  var addressedPush: AddressedPush { get }
}

/// A push and the device that it is for.
public struct AddressedPush: Deliverable {
  /// The push.
  public let push: SealedPush

  /// The device.
  public let address: DeviceAddress

  /// Whether the address is known to be a device's, because the device has proven it.
  ///
  /// If it only claims that, as in an enrolment, its token may be junk: that APNs refuses it does not count towards
  /// ``RetryPolicy/badDevicesInARow``, or anybody could stop the route with enrolments.
  public let isProven: Bool

  /// Addresses a push.
  public init(_ push: SealedPush, to address: DeviceAddress, isProven: Bool = true) {
    (self.push, self.address, self.isProven) = (push, address, isProven)
  }

  /// The value itself.
  public var addressedPush: AddressedPush { self }
}
