import PushEnvelope
import PushKeys

/// Key files, with their errors in the operator's words.
enum Keys {
  static func load(_ path: String) throws(ToolError) -> KeySet {
    do throws(KeyFileError) {
      return try KeyFile(path: path).load()
    } catch {
      throw describe(error, path)
    }
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
    _ path: String, _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(ToolError) -> Result {
    do throws(KeyFileError) {
      return try KeyFile(path: path).update(change)
    } catch {
      throw describe(error, path)
    }
  }

  /// A private set that must be a device's.
  static func loadDevice(_ path: String) throws(ToolError) -> KeySet {
    let keys = try load(path)
    guard keys.role == .device else {
      throw ToolError(.badData, "\(path) has a sender's keys, and a device's are needed")
    }
    return keys
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
        hint: "chmod 600 \(path)")
    case .wrongOwner: ToolError(.noPermission, "\(path) belongs to another user")
    case .folderWritableByOthers:
      ToolError(
        .noPermission, "others can put another file in the place of \(path)",
        hint: "chmod go-w its folder, or move it to a folder of your own")
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
    case .keySet(let error):
      ToolError(.badData, "\(path): \(KeySetText.describe(error))", hint: KeySetText.remedy(error, path))
    case .system(let call, let errno):
      ToolError(.failed, "\(path): \(call): \(SystemMessage.text(of: errno))")
    }
  }
}

/// What is wrong with a key set, in the operator's words.
enum KeySetText {
  /// What to do about it; null where nothing can be said.
  static func remedy(_ error: KeySetError, _ path: String) -> String? {
    switch error {
    case .privateKeyInPublicSet: "its public half: sealpush keys export --keys \(path)"
    case .missingPrivateKey: "give the file that keys new made, not what keys export wrote"
    default: nil
    }
  }

  static func describe(_ error: KeySetError) -> String {
    switch error {
    case .json(let error): "not strict JSON: \(error)"
    case .notAKeySet: "not a JWK Set"
    case .unsupportedVersion: "written by a newer version"
    case .empty: "there is no key in it"
    case .tooManyKeys: "too many keys"
    case .mixedRoles: "keys of devices and of senders in one set"
    case .privateKeyInPublicSet(let index):
      "key \(index) is private where a public one belongs; whoever got it can open or sign"
    case .missingPrivateKey(let index): "key \(index) is public where a private one is needed"
    case .invalidMember(let index, let member): "key \(index): '\(member)' is missing or wrong"
    case .unknownMember(let index?, let member): "key \(index): '\(member)' is not known here"
    case .unknownMember(nil, let member): "'\(member)' is not known here"
    case .keyMismatch(let index): "key \(index): its parts do not belong together"
    case .duplicateKey: "a key is there twice"
    case .collidingKeyIDs: "two keys have the same id"
    case .twoActiveKeys: "two keys of a suite are active"
    case .noActiveKey: "no key is active"
    case .keyEnded: "the active key has ended"
    case .wrongRole: "a device's keys where a sender's are needed, or the reverse"
    case .noKeyForSuite: "no key of that suite"
    case .graceTooShort: "the grace is shorter than 30 days"
    }
  }
}
