import PushCore
import PushEnrolment
import PushKeys

extension Command {
  static let keysForget = Command(
    name: ["keys", "forget"], summary: "remove a device's registration, for example of a lost phone",
    details: """
      Nothing is sealed to the device any more. Its identity, token and keys can be registered again, under
      any name: your own login must decide whether they may be. Other lines of the file stay as they are, even
      invalid ones.

      With --leave: removes the device that signed the leave (see keys leave), unless the device has enrolled
      since. The leave must be for --audience.

      With --token: removes the registration whose device token APNs no longer accepts. If APNs answered with
      status 410 (Unregistered or ExpiredToken), give the timestamp of that answer as --unregistered-at. A
      registration whose device has enrolled since then, by its own clock, is kept, and the exit status is 0
      as well. Nothing is sealed to it until the device has proven its token again; keys accept asks for that
      at the app's next launch. With --service fcm, it is a token for which FCM answered UNREGISTERED.
      """,
    examples: [
      "sealpush keys forget --registrations registrations --registration ada-1"
    ],
    options: [
      .required(.registrations, "the backend's registrations"),
      .optional(.registration, "the registration's name"),
      .optional(.person, "remove only this person, from the registration or from all; others keep it"),
      .optional(.identityName, "the identity of the registrations, as keys accept prints it"),
    ] + Parameter.deviceToken("the registration's device token") + [
      .optional(.service, "the service of --token: apns (default) or fcm"),
      .optional(.leave, "the leave that the device has signed; needs --audience"),
      .optional(.audience, "the backend's own name; only with --leave"),
      .optional(.unregisteredAt, "the timestamp of APNs' answer 410; only with --token"),
      .flag(.dryRun, "change nothing; print what would be removed"),
    ]
  ) { (arguments, console) throws(ToolError) in
    let path = try arguments.file(.registrations)
    let said: String
    let name = arguments.text(of: .registration)
    let (person, identity) = (try arguments[.person]?.text, try arguments[.identityName])
    switch (name, person, identity, try arguments.pushToken(), try arguments.leave()) {
    case (_, let person?, nil, nil, nil):
      said = try forget(.person(person, registration: name), known: "person", in: path, arguments: arguments)
    case (let name?, nil, nil, nil, nil):
      said = try forget(.registration(name), known: "name", in: path, arguments: arguments)
    case (nil, nil, let identity?, nil, nil):
      said = try forget(.identity(identity), known: "identity", in: path, arguments: arguments)
    case (nil, nil, nil, let token?, nil): said = try forget(token, in: path, arguments: arguments)
    case (nil, nil, nil, nil, let leave?): said = try forget(leave, in: path, arguments: arguments)
    default:
      throw .usage(
        "give one of \(Option.registration) NAME, \(Option.person) NAME, \(Option.identityName) NAME, "
          + "\(Option.token) HEX and \(Option.leave) FILE")
    }
    console.note(said)
  }

  private static func forget(
    _ devices: DeviceSelector, known: String, in path: String, arguments: Arguments
  ) throws(ToolError) -> String {
    guard !arguments.isGiven(.unregisteredAt) else {
      throw .usage("\(Option.unregisteredAt) needs \(Option.token)")
    }
    let isDryRun = arguments.has(.dryRun)
    let names: [String]
    do throws(RegistrationFileError) {
      let file = RegistrationFile(path: path, services: PushService.every)
      names = isDryRun ? try file.names(of: devices) : try file.remove(devices)
    } catch {
      throw SignedSetText.failure(for: error)
    }
    guard !names.isEmpty else { throw ToolError(.noInput, "\(path) has no registration with that \(known)") }
    return
      "\(isDryRun ? "would remove" : "removed") \(names.map(PrintableText.escaped).joined(separator: ", "))"
  }

  private static func forget(
    _ leave: Leave, in path: String, arguments: Arguments
  ) throws(ToolError) -> String {
    guard !arguments.isGiven(.unregisteredAt) else {
      throw .usage("\(Option.unregisteredAt) needs \(Option.token)")
    }
    let isDryRun = arguments.has(.dryRun)
    let result = try Continuity.update(path, isDryRun: isDryRun) { (registrations) throws(SignedSetError) in
      Result { () throws(SignedSetError) in try registrations.leave(leave) }
    }
    let names: [String]
    do throws(SignedSetError) { names = try result.get() } catch { throw .refusal(of: leave, for: error) }
    // It may have arrived before: a leave needs no login, and may be repeated.
    guard !names.isEmpty else { return "\(path) has no registration with the leave's identity" }
    return
      "\(isDryRun ? "would remove" : "removed") \(names.map(PrintableText.escaped).joined(separator: ", "))"
  }

  private static func forget(
    _ token: PushToken, in path: String, arguments: Arguments
  ) throws(ToolError) -> String {
    let (time, isDryRun) = (try arguments[.unregisteredAt], arguments.has(.dryRun))
    let removal: RegistrationFile.Removal?
    do throws(RegistrationFileError) {
      let file = RegistrationFile(path: path, services: PushService.every)
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
        + "\(time.calendarText), after APNs' timestamp; it must prove its token again"
    case nil: throw ToolError(.noInput, "\(path) has no registration with that device token")
    }
  }
}

extension Option<UnixTime> {
  /// APNs' time at which a token was no longer valid.
  fileprivate static var unregisteredAt: Self {
    Self(
      "--unregistered-at", "MILLISECONDS",
      rule: "the timestamp of APNs' answer, in milliseconds since 1970", isShown: true
    ) { text in
      // From 2001 to 5138: a number in seconds or microseconds by mistake lies outside, and must not decide.
      guard let milliseconds = TimeSpan.number(in: text[...]),
        (1_000_000_000_000..<100_000_000_000_000).contains(milliseconds)
      else { return nil }
      return UnixTime(milliseconds: milliseconds)
    }
  }
}
