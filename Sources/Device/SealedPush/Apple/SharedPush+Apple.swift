#if canImport(Security)
  public import Foundation
  public import PushCore
  public import PushEnrolment
  internal import PushKeys
  internal import PushReceiver

  extension SharedPush {
    /// Finds what an app shares with its extensions on Apple's systems: the keys in the Keychain, the files in an App Group, and
    /// the app's texts.
    ///
    /// The bundle of the app, and of each extension, has two files: `roots.jwks`, the roots' public keys, and `senders.jws`, the
    /// senders' signed set that it was built with. `keychainGroup` is the keychain group of the device's keys; nil for the App
    /// Group, which is one, too.
    ///
    /// It makes the folder `notes`, whose files can be written before the phone is first unlocked: so the app calls it at its
    /// first launch.
    ///
    /// - Throws: ``StorageError/noSharedFolder``; `CocoaError` without a file; `KeySetError`, `SignedSetError` for a wrong one.
    public init(
      topic: Topic, audience: Audience, appGroup: String, keychainGroup: String? = nil,
      bundle: Bundle = .main
    ) throws {
      let folder = try SharedFolder(appGroup: appGroup)
      _ = try folder.unprotected("notes")
      let roots = try PublicKeySet(parsing: Self.resource("roots", "jwks", in: bundle))
      let shipped = try SenderKeySet(
        parsing: Self.resource("senders", "jws", in: bundle), roots: roots, topic: topic)
      self.init(
        topic: topic, audience: audience, folder: folder.path,
        keys: KeychainKeyStore(service: topic.text, accessGroup: keychainGroup ?? appGroup), roots: roots,
        shipped: shipped)
      strings = AppBundleStrings()
    }

    private static func resource(_ name: String, _ type: String, in bundle: Bundle) throws -> [UInt8] {
      guard let file = bundle.url(forResource: name, withExtension: type) else {
        throw CocoaError(.fileNoSuchFile)
      }
      return [UInt8](try Data(contentsOf: file))
    }
  }
#endif
