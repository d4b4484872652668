import PushFiles
import PushKeys

/// A change to a key file, or its dry run, and the public set to distribute afterwards.
struct KeyChange {
  /// Whether the change is only tried, and the file stays as it is.
  let isDryRun: Bool

  private let path: String
  private let passphrase: Passphrase?
  private let output: String?
  private let replaces: Bool

  /// Takes the key file's path, what opens it, and the options about the output.
  init(path: String, parsing arguments: Arguments) {
    self.path = path
    passphrase = arguments.passphrase
    isDryRun = arguments.has(.dryRun)
    output = arguments[.output]
    replaces = arguments.has(.force)
  }

  /// Makes the change in the file, or only finds out whether it could be made; returns the changed set.
  ///
  /// A public set that goes to a file is written while the key file is still locked, so that an older set never
  /// replaces a newer one.
  func make<Result>(
    change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(ToolError) -> (Result, ChangedKeys) {
    _ = try FileOutput(path: output, replaces: replaces)
    return try Keys.open(path, passphrase: passphrase) { (file) throws(KeyFileError) in
      let work = { (editor: inout KeySetEditor) throws(KeySetError) -> Result in
        let result = try change(&editor)
        // Before anything is written: shared keys have no public half.
        if output != nil { _ = try editor.keySet.publicKeys }
        return result
      }
      guard !isDryRun else {
        let (result, keys) = try file.rehearse(work)
        return (result, ChangedKeys(keySet: keys, publication: .none))
      }
      return try file.update(work) { (result, keys) in
        (result, ChangedKeys(keySet: keys, publication: publish(keys)))
      }
    }
  }

  private func publish(_ keys: KeySet) -> ChangedKeys.Publication {
    guard let output, output != "-", let bytes = try? keys.publicKeys.encoded() else { return .none }
    let file = OutputFile(path: output)
    guard !file.holds(bytes) else { return .upToDate }
    do throws(KeyFileError) {
      try file.write(bytes.span, isReplacing: replaces)
      return .written
    } catch {
      return .failed(KeyFileFailure.writing(error, existing: "--force replaces it"))
    }
  }

  /// Reports what was done, and prints the public set unless it went to a file; a dry run lists the keys instead.
  func report(_ done: String, keys: ChangedKeys, console: Console) throws(ToolError) {
    guard !isDryRun else { return try reportDryRun(keys: keys.keySet, console: console) }
    guard keys.role != .shared else {
      return console.note("\(done); copy it to the side that opens first, then to the side that seals")
    }
    // First, so that the note appears even if nobody reads the output.
    console.note("\(done); distribute the new public set (keys export prints it again)")
    try checkPublication(of: keys)
    guard case .none = keys.publication else { return }
    try console.write(try Keys.publicHalf(of: keys.keySet, at: path).encoded(), as: .json)
  }

  /// Reports that no key changed; the file with the public set may have been outdated and written nevertheless.
  func reportNothing(keys: ChangedKeys, console: Console) throws(ToolError) {
    console.note("nothing to do in \(path)")
    try checkPublication(of: keys)
    guard case .written = keys.publication, let output else { return }
    console.note("\(output) was outdated and is now updated; distribute it")
  }

  /// Lists the keys that the file would contain.
  func reportDryRun(keys: KeySet, console: Console) throws(ToolError) {
    let isThere = FileStatus.isThere(path)
    console.note(
      "dry run: \(path) is \(isThere ? "unchanged" : "not created"); it would contain keys like these")
    try console.print(KeyListing.table(of: keys))
  }

  private func checkPublication(of keys: ChangedKeys) throws(ToolError) {
    guard case .failed(let error) = keys.publication, let output else { return }
    let words = (keys: ShellWord.quoted(path), output: ShellWord.quoted(output))
    throw ToolError(
      error.status, error.message,
      hint: "then: sealpush keys export --keys \(words.keys) --out \(words.output) --force")
  }
}

/// The keys of a changed file, and what happened to the file with their public half.
struct ChangedKeys {
  /// What happened to the file with the public half.
  enum Publication {
    /// The command names no such file.
    case none
    /// The file has the new set.
    case written
    /// The file had the set already.
    case upToDate
    /// The file is unchanged.
    case failed(ToolError)
  }

  /// The keys after the change.
  let keySet: KeySet

  /// What happened to the file with the public half.
  let publication: Publication

  /// Whose keys they are.
  var role: KeyRole { keySet.role }
}
