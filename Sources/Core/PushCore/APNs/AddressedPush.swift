/// Something to deliver: a push and its address, what a sealer made for a device, or a value of your own that has them.
///
/// The value comes back with the result. It may be a queue's job, for example, to be acknowledged then.
public protocol Deliverable: Sendable {
  /// The push and its address. The client reads it once.
  ///
  /// - Throws: Why there is no push. Then nothing is sent, and the result says why.
  var addressedPush: AddressedPush { get throws }
}

/// A push and the device that it is for.
public struct AddressedPush: Deliverable, Hashable {
  /// The push.
  public let push: SealedNotification

  /// The device.
  public let address: DeviceAddress

  /// Whether a device has proven that the address is its own.
  ///
  /// The address of an enrolment is only claimed, and its token may be junk. So APNs' refusals of such addresses do not
  /// count when the client judges whether its route is wrong: otherwise anybody could stop the route with enrolments. It is
  /// always false for a proof request.
  public let isProven: Bool

  /// Addresses a push.
  ///
  /// `isProven` has no effect on a proof request, which is there to find out: ``SealedNotification/isProofRequest``.
  public init(_ push: SealedNotification, to address: DeviceAddress, isProven: Bool = true) {
    self.push = push
    self.address = address
    self.isProven = isProven && !push.isProofRequest
  }

  /// The value itself.
  public var addressedPush: AddressedPush { self }
}
