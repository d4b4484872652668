public import PushEnvelope

/// Several key stores as one, as for a device that has shared keys beside its own.
public struct CombinedKeyStore: DeviceKeyStore {
  private let stores: [any DeviceKeyStore]

  /// Takes the stores, in the order in which they are asked.
  public init(_ stores: any DeviceKeyStore...) { self.stores = stores }

  /// The key of that name, from the first store that has it.
  ///
  /// A store is asked for a name, and not for a suite: should a later store have a key of the same name for another
  /// suite, it is not found, and what was sealed for it does not open.
  ///
  /// - Throws: ``KeyStoreError`` of the first store that gave no answer, if no other has the key.
  public func deviceKey(for id: KeyID, at now: UnixTime) throws(KeyStoreError) -> DeviceKey? {
    var fault: KeyStoreError?
    for store in stores {
      do throws(KeyStoreError) {
        if let key = try store.deviceKey(for: id, at: now) { return key }
      } catch {
        fault = fault ?? error
      }
    }
    if let fault { throw fault }
    return nil
  }
}
