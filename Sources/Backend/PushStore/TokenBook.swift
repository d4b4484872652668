public import PushCore
public import PushEnrolment

/// The tokens that devices have besides their device tokens: for calls, complications, push-to-talk and Live Activities.
///
/// They belong to the registration that has the identity that signed them, as long as that has proven keys. They go with the
/// registration, and when the identity moves to another one.
public protocol TokenBook: Sendable {
  /// Takes a device's tokens in place of those before, or says why it refuses them, and changes nothing: FORMAT.md, [11.37].
  ///
  /// - Throws: ``StoreError``.
  func accept(_ tokens: DeviceTokens) async throws(StoreError) -> Result<Void, SignedSetError>

  /// The tokens of each device, in the order of the devices.
  ///
  /// - Throws: ``StoreError``.
  func tokens(of devices: [StoredDevice]) async throws(StoreError) -> [[TokenUse: DeviceToken]]

  /// Forgets a token that APNs no longer accepts (status 410), and returns whether it was known; its device stays as it is.
  ///
  /// - Throws: ``StoreError``.
  @discardableResult
  func endToken(at address: DeviceAddress, for pushType: PushType) async throws(StoreError) -> Bool
}
