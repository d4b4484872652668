import PushKeys

extension Command {
  static let keysForget = Command(
    name: ["keys", "forget"], summary: "remove a device's registration, for example of a lost phone",
    details: """
      Nothing is sealed to the device any more. Its identity, token and keys can be registered again, under any
      name: the app's own login must decide whether they may be. Other lines stay as they are, even invalid ones.
      """,
    options: [
      .required("--registrations", "FILE", "the backend's registrations", file: .input),
      .required("--registration", "NAME", "the registration's name"),
      .flag("--dry-run", "change nothing; print what would be removed"),
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
    guard isFound else { throw ToolError(.noInput, "\(path) has no registration with that name") }
    console.note("\(isDryRun ? "would remove" : "removed") \(name)")
  }
}
