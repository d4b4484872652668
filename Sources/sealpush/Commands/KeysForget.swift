import PushKeys

extension Command {
  static let keysForget = Command(
    name: ["keys", "forget"], summary: "remove a device's registration, as of a lost phone",
    details: """
      Nothing is sealed to the device any more. Its identity, token and keys may be registered anew, under any
      name: whether that may be is for the app's own login to say. Other lines stay as they are, bad ones too.
      """,
    options: [
      .required("--registrations", "FILE", "the backend's registrations", file: .input),
      .required("--registration", "NAME", "which one"),
      .flag("--dry-run", "change nothing; say what would be"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file("--registrations")
    let name = try arguments.required("--registration")
    let isDryRun = arguments.has("--dry-run")
    let isFound: Bool
    do throws(RegistrationFileError) {
      let file = RegistrationFile(path: path)
      isFound = isDryRun ? try file.has(name) : try file.remove(name)
    } catch {
      throw SignedSetText.failure(error, path)
    }
    guard isFound else { throw ToolError(.noInput, "\(path) has no registration of that name") }
    console.note("\(isDryRun ? "would remove" : "removed") \(name)")
  }
}
