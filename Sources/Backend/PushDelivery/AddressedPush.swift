public import PushCore

/// Something to deliver: a push and its address, or a value of your own that has them.
///
/// The value comes back with the result. It may be a queue's job, for example, to be acknowledged then.
public protocol Deliverable: Sendable {
  /// The push and its address. The client reads it once.
  var addressedPush: AddressedPush { get }
}

/// A push and the device that it is for.
public struct AddressedPush: Deliverable {
  /// The push.
  public let push: SealedPush

  /// The device.
  public let address: DeviceAddress

  /// Whether a device has proven that the address is its own.
  ///
  /// The address of an enrolment is only claimed, and its token may be junk. So APNs' refusals of such addresses do not
  /// count towards ``RetryPolicy/badDevicesInARow``: otherwise anybody could stop the route with enrolments.
  public let isProven: Bool

  /// Addresses a push.
  public init(_ push: SealedPush, to address: DeviceAddress, isProven: Bool = true) {
    (self.push, self.address, self.isProven) = (push, address, isProven)
  }

  /// The value itself.
  public var addressedPush: AddressedPush { self }
}
