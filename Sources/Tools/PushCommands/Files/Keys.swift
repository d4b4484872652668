import PushCore
import PushEnrolment
import PushKeys
import PushSealer

/// Reads and changes key files, and turns their errors into messages.
enum Keys {
  static func load(from path: String, passphrase: Passphrase?) throws(ToolError) -> KeySet {
    try open(path, passphrase: passphrase) { (file) throws(KeyFileError) in try file.load() }
  }

  /// Reads a key set from the file or descriptor that an option names; a descriptor is read once, before anybody is
  /// asked for a passphrase.
  static func load(from source: KeySource, passphrase: Passphrase?) throws(ToolError) -> KeySet {
    switch source {
    case .file(let path): return try load(from: path, passphrase: passphrase)
    case .descriptor(let descriptor):
      try descriptor.check(for: "keys")
      let stream = try described(
        Result { () throws(KeyFileError) in
          try KeyStream(descriptor: descriptor.number, named: source.name)
        })
      return try unlocking(source.name, passphrase: passphrase) { (passphrase) throws(KeyFileError) in
        try stream.load(with: passphrase)
      }
    }
  }

  static func loadPublic(from path: String) throws(ToolError) -> PublicKeySet {
    do throws(KeyFileError) {
      return try PublicKeyFile(path: path).load()
    } catch {
      throw KeyFileFailure.describe(error)
    }
  }

  /// Changes a key file under its lock.
  static func update<Result>(
    _ path: String, passphrase: Passphrase?, change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(ToolError) -> Result {
    try open(path, passphrase: passphrase) { (file) throws(KeyFileError) in try file.update(change) }
  }

  /// Works on a key file with the given passphrase, or one that the terminal asks for.
  static func open<Value>(
    _ path: String, passphrase: Passphrase?, work: (KeyFile) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Value {
    try described(try attempt(at: path, passphrase: passphrase, work: work))
  }

  /// Works on a key file as ``open(_:passphrase:work:)`` does, but returns the file's error as it is.
  static func attempt<Value>(
    at path: String, passphrase: Passphrase?, work: (KeyFile) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Result<Value, KeyFileError> {
    try unlock(path, passphrase: passphrase) { (passphrase) throws(KeyFileError) in
      try work(KeyFile(path: path, passphrase: passphrase))
    }
  }

  /// Works with the given passphrase, or one that the terminal asks for.
  static func unlocking<Value>(
    _ path: String, passphrase: Passphrase?, work: (Passphrase?) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Value {
    try described(try unlock(path, passphrase: passphrase, work: work))
  }

  /// Works with the given passphrase; if a passphrase is needed and was not given, asks for it on the terminal.
  private static func unlock<Value>(
    _ path: String, passphrase: Passphrase?, work: (Passphrase?) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Result<Value, KeyFileError> {
    do throws(KeyFileError) {
      return .success(try work(passphrase))
    } catch {
      // First: the permissions of a public set are not what is wrong with it.
      if isPublic(path, error: error.fault) {
        return .failure(KeyFileError(.keySet(.missingPrivateKey(index: 0)), path: path))
      }
      guard error.fault == .passphraseNeeded, let typed = try PassphrasePrompt.ask(for: path) else {
        return .failure(error)
      }
      return Result { () throws(KeyFileError) in try work(typed) }
    }
  }

  /// Whether a file that was refused for its permissions holds only a public set, so that chmod would not help.
  private static func isPublic(_ path: String, error: KeyFileFault) -> Bool {
    switch error {
    case .tooPermissive, .wrongOwner, .file(.folderWritableByOthers), .file(.folderOfAnotherUser),
      .file(.linkOfAnotherUser):
      (try? PublicKeyFile(path: path).load()) != nil
    default: false
    }
  }

  private static func described<Value>(
    _ result: Result<Value, KeyFileError>
  ) throws(ToolError) -> Value {
    do throws(KeyFileError) {
      return try result.get()
    } catch {
      throw KeyFileFailure.describe(error)
    }
  }

  /// Reads a private set that opens messages: a device's keys, or shared keys.
  static func loadOpening(from source: KeySource, passphrase: Passphrase?) throws(ToolError) -> KeySet {
    let keys = try load(from: source, passphrase: passphrase)
    guard keys.role == .device || keys.role == .shared else {
      throw KeyFileFailure.wrongRole(keys.role, at: source.name, needed: "a device's or shared ones")
    }
    return keys
  }

  /// The public half of a private set.
  static func publicHalf(of keys: KeySet, at path: String) throws(ToolError) -> PublicKeySet {
    try found(at: path) { () throws(KeySetError) in try keys.publicKeys }
  }

  /// The recipient to seal to: the device of a public set, or the holders of the same shared keys.
  static func recipient(
    from path: String, suite: Suite?, under policy: PostQuantum, at now: UnixTime, passphrase: Passphrase?
  ) throws(ToolError) -> Recipient {
    let keys: PublicKeySet
    do throws(KeyFileError) {
      keys = try PublicKeyFile(path: path).load()
    } catch {
      guard case .keySet(.privateKeyInPublicSet) = error.fault else { throw KeyFileFailure.describe(error) }
      // The private keys in the file may be shared keys, which seal as well; then nobody else may read the file.
      let shared = try load(from: path, passphrase: passphrase)
      guard shared.role == .shared else { throw KeyFileFailure.describe(error) }
      return try found(at: path) { () throws(KeySetError) in
        guard suite ?? .sharedChaChaPoly == .sharedChaChaPoly else { throw .noKeyForSuite }
        return try shared.recipient(at: now)
      }
    }
    guard keys.role == .device else {
      throw KeyFileFailure.wrongRole(keys.role, at: path, needed: "a device's")
    }
    return try found(at: path) { () throws(KeySetError) in
      try keys.recipient(suite: suite, under: policy, at: now)
    }
  }

  /// Returns what `find` finds in a set from a file, with the file's path in the error.
  static func found<Found>(
    at path: String, find: () throws(KeySetError) -> Found
  ) throws(ToolError) -> Found {
    do throws(KeySetError) {
      return try find()
    } catch {
      throw KeyFileFailure.describe(error, at: path)
    }
  }

  /// The public keys of roots.
  static func loadRoots(from path: String) throws(ToolError) -> PublicKeySet {
    let roots = try loadPublic(from: path)
    guard roots.role == .root else {
      throw ToolError(
        .badData, "\(path) has no root's keys", hint: "sealpush keys export writes them from the root's file")
    }
    return roots
  }

  /// Reads a public set; the error for a signed set says that `--root` is missing.
  static func loadUnsigned(from path: String) throws(ToolError) -> PublicKeySet {
    do throws(KeyFileError) {
      return try PublicKeyFile(path: path).load()
    } catch {
      guard case .keySet(.json) = error.fault, let text = try? FileInput.read(from: path),
        Continuity.isSigned(text)
      else { throw KeyFileFailure.describe(error) }
      throw ToolError(.badData, "\(path) is a signed set, and --root FILE is missing")
    }
  }

  /// The senders to trust: those of a public set or, with a pinned root, of one that the root signed for the topic.
  static func loadSenders(from path: String, root: PinnedRoot?) throws(ToolError) -> TrustedSenders {
    guard let root else {
      let set = try loadUnsigned(from: path)
      guard set.role == .sender else {
        throw KeyFileFailure.wrongRole(set.role, at: path, needed: "senders'")
      }
      return .unsigned(set)
    }
    let roots = try loadRoots(from: root.path)
    let text = Continuity.text(of: try FileInput.read(from: path))
    return try Continuity.refusing(path) { () throws(SignedSetError) in
      .signed(try SenderKeySet(parsing: text.span, roots: roots, topic: root.topic))
    }
  }
}

/// The root whose signed sets are trusted, and the app for which it signed them.
struct PinnedRoot {
  /// The path of the root's public set.
  let path: String
  let topic: Topic

  /// What `--root` and `--topic` say; nil without `--root`.
  init?(parsing arguments: Arguments) throws(ToolError) {
    guard let path = arguments[.root] else { return nil }
    (self.path, topic) = (path, try arguments.required(.topic))
  }
}

/// The senders that a device trusts.
enum TrustedSenders {
  case unsigned(PublicKeySet)
  case signed(SenderKeySet)

  /// Their public keys.
  var keys: PublicKeySet {
    switch self {
    case .unsigned(let keys): keys
    case .signed(let set): set.keys
    }
  }

  /// The set that a root signed; nil if none did.
  var signedSet: SenderKeySet? { if case .signed(let set) = self { set } else { nil } }

  /// Where a receiver looks them up.
  var store: any SenderKeyStore { signedSet ?? keys }
}
