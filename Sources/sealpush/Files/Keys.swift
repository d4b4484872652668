import PushEnvelope
import PushKeys

/// Key files, with their errors in the operator's words.
enum Keys {
  static func load(_ path: String, _ arguments: Arguments) throws(ToolError) -> KeySet {
    try open(path, arguments) { (file) throws(KeyFileError) in try file.load() }
  }

  static func loadPublic(_ path: String) throws(ToolError) -> PublicKeySet {
    do throws(KeyFileError) {
      return try PublicKeyFile(path: path).load()
    } catch {
      throw describe(error, path)
    }
  }

  /// Changes a key file under its lock.
  static func update<Result>(
    _ path: String, _ arguments: Arguments, _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(ToolError) -> Result {
    try open(path, arguments) { (file) throws(KeyFileError) in try file.update(change) }
  }

  /// Works on a key file with the passphrase that was given, or that a person is asked for.
  static func open<Value>(
    _ path: String, _ arguments: Arguments, _ work: (KeyFile) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Value {
    try described(path, try attempt(path, arguments, work))
  }

  /// Works on a key file as ``open(_:_:_:)``, and gives what is wrong with the file as it is.
  static func attempt<Value>(
    _ path: String, _ arguments: Arguments, _ work: (KeyFile) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Result<Value, KeyFileError> {
    try unlock(path, arguments) { (passphrase) throws(KeyFileError) in
      try work(KeyFile(path: path, passphrase: passphrase))
    }
  }

  /// Works with the passphrase that was given, or that a person is asked for.
  static func unlocking<Value>(
    _ path: String, _ arguments: Arguments, _ work: (Passphrase?) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Value {
    try described(path, try unlock(path, arguments, work))
  }

  /// Works with the passphrase that was given, or, if one is needed and none was, with one that a person is asked for.
  private static func unlock<Value>(
    _ path: String, _ arguments: Arguments, _ work: (Passphrase?) throws(KeyFileError) -> Value
  ) throws(ToolError) -> Result<Value, KeyFileError> {
    do throws(KeyFileError) {
      return .success(try work(arguments.passphrase))
    } catch {
      guard error == .passphraseNeeded, let typed = try PassphrasePrompt.ask(for: path) else {
        return .failure(error)
      }
      return Result { () throws(KeyFileError) in try work(typed) }
    }
  }

  private static func described<Value>(
    _ path: String, _ result: Result<Value, KeyFileError>
  ) throws(ToolError) -> Value {
    do throws(KeyFileError) {
      return try result.get()
    } catch {
      throw describe(error, path)
    }
  }

  /// A private set that opens messages: a device's, or one of shared keys.
  static func loadOpening(_ path: String, _ arguments: Arguments) throws(ToolError) -> KeySet {
    let keys = try load(path, arguments)
    guard keys.role == .device || keys.role == .shared else {
      throw ToolError(
        .badData, "\(path) has a \(keys.role.rawValue)'s keys, and a device's or shared ones are needed")
    }
    return keys
  }

  /// What of a private set may be handed out.
  static func publicHalf(of keys: KeySet, _ path: String) throws(ToolError) -> PublicKeySet {
    try found(path) { () throws(KeySetError) in try keys.publicKeys }
  }

  /// Whom to seal for: the device of a public set, or whoever has the same file of shared keys.
  static func recipient(
    _ path: String, suite: Suite?, at now: UnixTime, _ arguments: Arguments
  ) throws(ToolError) -> Recipient {
    let keys: PublicKeySet
    do throws(KeyFileError) {
      keys = try PublicKeyFile(path: path).load()
    } catch {
      guard case .keySet(.privateKeyInPublicSet) = error else { throw describe(error, path) }
      // What is secret there may be shared keys, in a file that nobody else can read.
      let shared = try load(path, arguments)
      guard shared.role == .shared else { throw describe(error, path) }
      return try found(path) { () throws(KeySetError) in
        guard suite ?? .sharedChaChaPoly == .sharedChaChaPoly else { throw .noKeyForSuite }
        return try shared.recipient(at: now)
      }
    }
    return try found(path) { () throws(KeySetError) in try keys.recipient(suite: suite, at: now) }
  }

  /// What `find` finds in a set that was read from a file.
  private static func found<Found>(
    _ path: String, _ find: () throws(KeySetError) -> Found
  ) throws(ToolError) -> Found {
    do throws(KeySetError) {
      return try find()
    } catch {
      throw describe(.keySet(error), path)
    }
  }

  /// What is wrong with a file that was to be read or changed.
  static func describe(_ error: KeyFileError, _ path: String) -> ToolError {
    switch error {
    case .missing: ToolError(.noInput, "there is no \(path)")
    case .exists: ToolError(.cannotCreate, "\(path) exists, and a key file is never replaced by a new one")
    case .notRegularFile(let kind): ToolError(.noInput, "\(path) is no regular file but a \(kind.rawValue)")
    case .tooPermissive(let mode):
      ToolError(
        .noPermission, "\(path) can be read or written by others (mode 0\(String(mode, radix: 8)))",
        hint: "chmod 600 \(ShellWord.quoted(path))")
    case .wrongOwner: ToolError(.noPermission, "\(path) belongs to another user")
    case .folderWritableByOthers:
      ToolError(
        .noPermission, "others can put another file in the place of \(path)",
        hint: "chmod go-w \(ShellWord.folder(of: path)), or move it to a folder of your own")
    case .folderOfAnotherUser:
      ToolError(
        .noPermission, "the folder of \(path) is another user's, who can put another file in its place",
        hint: "move it to a folder of your own")
    case .notPermitted:
      ToolError(
        .noPermission, "\(path): not permitted",
        hint: "the file must be yours to read; to change keys, its folder yours to write")
    case .tooLarge: ToolError(.badData, "\(path) is larger than any key file")
    case .notDurable:
      ToolError(
        .failed, "\(path) is changed, but the disk did not confirm it",
        hint: "do not repeat the change; keys list shows it, and keys export prints the public set")
    case .busy: ToolError(.failed, "another process is changing \(path)", hint: "try again")
    case .passphraseNeeded, .notEncrypted, .wrongPassphrase, .damaged, .unreasonableParameters,
      .notEnoughMemory, .encryptionUnavailable:
      EncryptionFailure.describe(error, path)
    case .keySet(let error):
      ToolError(.badData, "\(path): \(KeySetText.describe(error))", hint: KeySetText.remedy(error, path))
    case .system(let call, let errno):
      ToolError(.failed, "\(path): \(call): \(SystemMessage.text(of: errno))")
    }
  }
}
