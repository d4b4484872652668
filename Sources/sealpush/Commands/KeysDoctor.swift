import PushEnvelope
import PushKeys
import PushPayload

extension Command {
  static let keysDoctor = Command(
    name: ["keys", "doctor"], summary: "find what is wrong with a key file, and say what mends it",
    details: """
      Looks at the file's and its folder's permissions, at whether it loads, at each key's age and end, and, if
      it is given, at the copy of the public half that others have: the backends' of a device's, the devices'
      of a sender's. Exit status: 0 if there is no error, 65 if there is one. With --json each finding is a line
      {"severity","code","kid","message","mend"}; severity is error, warning or note.
      """,
    options: [
      .keys, .optional("--public", "FILE", "the backends' copy of a device's public set", file: .input),
      .optional(
        "--senders", "FILE", "the devices' copy of a sender's public set, or a signed one", file: .input),
      .root,
      .optional("--topic", "ID", "with --root: the app's bundle id"), .now, .json,
    ] + Option.passphrase
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.required("--keys")
    let diagnoses = try diagnoses(path, arguments)
    for diagnosis in diagnoses {
      let json = arguments.has("--json")
      try console.print(
        json ? String(decoding: diagnosis.json.encoded(), as: UTF8.self) + "\n" : diagnosis.text)
    }
    let errors = diagnoses.count { $0.severity == .error }
    guard errors == 0 else {
      throw ToolError(.badData, "\(path): \(errors) error\(errors == 1 ? "" : "s")")
    }
    if diagnoses.isEmpty { console.note("\(path) is well") }
  }

  private static func diagnoses(_ path: String, _ arguments: Arguments) throws(ToolError) -> [Diagnosis] {
    guard arguments["--public"] == nil || arguments["--senders"] == nil else {
      throw .usage("give --public of a device's file, or --senders of a sender's")
    }
    let file = ExaminedFile(path, arguments)
    let keys: KeySet
    switch try Keys.attempt(path, arguments, { (keys) throws(KeyFileError) in try keys.load() }) {
    case .success(let loaded): keys = loaded
    case .failure(let error):
      guard let diagnosis = Diagnosis(error, file) else { throw KeyFileFailure.describe(error, path) }
      return [diagnosis]
    }
    guard arguments["--public"] == nil || keys.role == .device else {
      throw .usage("--public is of a device's file, and \(path) has a \(keys.role.rawValue)'s keys")
    }
    guard arguments["--senders"] == nil || keys.role == .sender else {
      throw .usage("--senders is of a sender's file, and \(path) has a \(keys.role.rawValue)'s keys")
    }
    let copy: PublicKeySet? =
      switch (arguments["--senders"], file.copy) {
      case (let path?, _): try Keys.loadSenders(path, arguments)
      case (nil, let path?): try Keys.loadPublic(path)
      case (nil, nil): nil
      }
    let own = Set(keys.records.map(\.id))
    let hasOthers = copy?.records.contains { !own.contains($0.id) } ?? false
    let now = try arguments.now()
    do throws(KeySetError) {
      return try keys.findings(at: now, copy: copy).map {
        Diagnosis($0, keys, file, hasOthers: hasOthers)
      }
    } catch {
      throw KeyFileFailure.describe(.keySet(error), file.copy ?? path)
    }
  }
}
