import PushKeys

/// A change of a key file, or what one would be, and the public set that is handed out after it.
struct KeyChange {
  /// Whether nothing is to be changed.
  let isDryRun: Bool

  private let path: String
  private let arguments: Arguments
  private let output: String?
  private let replaces: Bool

  /// Takes the key file's path, and the options about the output.
  init(_ path: String, _ arguments: Arguments) {
    self.path = path
    self.arguments = arguments
    isDryRun = arguments.has("--dry-run")
    output = arguments["--out"]
    replaces = arguments.has("--force")
  }

  /// Makes the change in the file, or on a copy; gives the set as it is then.
  func make<Result>(
    _ change: (inout KeySetEditor) throws(KeySetError) -> Result
  ) throws(ToolError) -> (Result, KeySet) {
    guard isDryRun else {
      try FileOutput.check(output, replaces: replaces)
      return try Keys.update(path, arguments) { (editor) throws(KeySetError) in
        let result = try change(&editor)
        // Before anything is written: of shared keys there is no public half to write.
        if output != nil { _ = try editor.keySet.publicKeys }
        return (result, editor.keySet)
      }
    }
    var editor = KeySetEditor(try Keys.load(path, arguments))
    do throws(KeySetError) {
      let result = try change(&editor)
      return (result, editor.keySet)
    } catch {
      throw Keys.describe(.keySet(error), path)
    }
  }

  /// Says what was done, and writes the public set, or lists what there would be.
  func report(_ done: String, _ keys: KeySet, _ console: Console) throws(ToolError) {
    if isDryRun {
      console.note("dry run: \(path) is as it was; it would hold keys like these")
      return try console.print(KeyListing.table(keys))
    }
    guard keys.role != .shared else {
      return console.note("\(done); copy it to the side that opens first, then to the side that seals")
    }
    // First, so that it is said even if nobody reads the output.
    console.note("\(done); hand out the new public set, which keys export prints again")
    let publicKeys = try Keys.publicHalf(of: keys, path)
    try FileOutput.write(publicKeys.encoded(), to: output, replaces: replaces, console)
  }
}
