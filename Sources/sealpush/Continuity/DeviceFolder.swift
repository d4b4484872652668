import PushKeys

/// A device's key file and its identity's, which stand in one folder and have one lock.
struct DeviceFolder {
  /// The identity's path.
  let identityPath: String

  private let folder: String
  private let device: String
  private let identity: String

  /// Takes the device's path, and the identity's if it is not `identity.jwks` beside it.
  init(_ path: String, identity: String?) throws(ToolError) {
    let (folder, device) = Self.split(path)
    identityPath = identity ?? (folder == "." ? "identity.jwks" : "\(folder)/identity.jwks")
    let other = Self.split(identityPath)
    guard other.folder == folder else {
      throw .usage("--identity is a file in the folder of --keys, because both have one lock")
    }
    (self.folder, self.device, self.identity) = (folder, device, other.name)
  }

  /// Works on the files with the passphrase that was given, or that a person is asked for.
  func open<Result>(
    _ arguments: Arguments, _ work: (KeyFolder) throws(KeyFileError) -> Result
  ) throws(ToolError) -> Result {
    try Keys.unlocking(identityPath, arguments) { (passphrase) throws(KeyFileError) in
      try work(KeyFolder(path: folder, device: device, identity: identity, passphrase: passphrase))
    }
  }

  private static func split(_ path: String) -> (folder: String, name: String) {
    guard let end = path.lastIndex(of: "/") else { return (".", path) }
    return (end == path.startIndex ? "/" : String(path[..<end]), String(path[path.index(after: end)...]))
  }
}
