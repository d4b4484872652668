import PushCore
import PushEnrolment
import PushKeys

extension Command {
  static let keysForget = Command(
    name: ["keys", "forget"], summary: "remove a device's registration, for example of a lost phone",
    details: """
      Nothing is sealed to the device any more. Its identity, token and keys can be registered again, under any
      name: the app's own login must decide whether they may be. Other lines stay as they are, even invalid ones.
      With --token: removes the registration whose device token APNs no longer accepts. If APNs answered with
      status 410 (Unregistered or ExpiredToken), give the timestamp of that answer: a registration whose device
      has enrolled since then is kept, and the exit status is 0 as well.
      """,
    examples: [
      "sealpush keys forget --registrations registrations --registration ada-1"
    ],
    options: [
      .required("--registrations", value: "FILE", "the backend's registrations", file: .input),
      .optional("--registration", value: "NAME", "the registration's name"),
    ] + Option.deviceToken("the registration's device token") + [
      .optional(
        "--unregistered-at", value: "MILLISECONDS", "the timestamp of APNs' answer 410; only with --token"),
      .flag("--dry-run", "change nothing; print what would be removed"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file("--registrations")
    let said: String
    switch (arguments["--registration"], try arguments.deviceToken()) {
    case (let name?, nil): said = try forget(name, in: path, arguments: arguments)
    case (nil, let token?): said = try forget(token, in: path, arguments: arguments)
    default: throw .usage("give either --registration NAME or --token HEX")
    }
    console.note(said)
  }

  private static func forget(
    _ name: String, in path: String, arguments: Arguments
  ) throws(ToolError) -> String {
    guard arguments["--unregistered-at"] == nil else { throw .usage("--unregistered-at needs --token") }
    let isDryRun = arguments.has("--dry-run")
    let isFound: Bool
    do throws(RegistrationFileError) {
      let file = RegistrationFile(path: path)
      isFound = isDryRun ? try file.has(name) : try file.remove(name)
    } catch {
      throw SignedSetText.failure(for: error)
    }
    guard isFound else { throw ToolError(.noInput, "\(path) has no registration with that name") }
    return "\(isDryRun ? "would remove" : "removed") \(name)"
  }

  private static func forget(
    _ token: DeviceToken, in path: String, arguments: Arguments
  ) throws(ToolError) -> String {
    let (time, isDryRun) = (try arguments.unregisteredAt(), arguments.has("--dry-run"))
    let removal: RegistrationFile.Removal?
    do throws(RegistrationFileError) {
      let file = RegistrationFile(path: path)
      removal =
        isDryRun
        ? try file.removal(of: token, unregisteredAt: time) : try file.remove(token, unregisteredAt: time)
    } catch {
      throw SignedSetText.failure(for: error)
    }
    switch removal {
    case .removed(let name): return "\(isDryRun ? "would remove" : "removed") \(name)"
    case .kept(let name, let time):
      return "\(isDryRun ? "would keep" : "kept") \(name): its device enrolled at "
        + "\(CalendarTime.text(of: time)), after APNs' timestamp"
    case nil: throw ToolError(.noInput, "\(path) has no registration with that device token")
    }
  }
}

extension Arguments {
  /// APNs' time at which a token was no longer valid, in milliseconds; nil if none is given.
  fileprivate func unregisteredAt() throws(ToolError) -> UnixTime? {
    guard let text = self["--unregistered-at"] else { return nil }
    // From 2001 to 5138: the same number in seconds or microseconds would be another time, and keep or remove the wrong.
    guard let milliseconds = TimeSpan.number(in: text[...]),
      (1_000_000_000_000..<100_000_000_000_000).contains(milliseconds)
    else {
      throw .usage(
        "--unregistered-at is the timestamp of APNs' answer, in milliseconds since 1970, not '\(text)'")
    }
    return UnixTime(seconds: milliseconds / 1000)
  }
}
