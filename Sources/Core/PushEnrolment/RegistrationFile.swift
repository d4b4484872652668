internal import PushKeys
public import PushCore
public import PushFiles

/// A file of registrations, one line of JSON each, for tests and small services.
///
/// Each change rewrites the file atomically under a lock, and each read verifies every signature. A change is refused
/// where another user could replace the file, its folder, or a folder above it. Reading is not refused, because the
/// process that seals often runs as another user than the one that accepts enrolments. `PushSealer` can read it as a
/// file of recipients.
public struct RegistrationFile: Sendable {
  /// The maximum size of the file, in bytes: 64 MiB.
  public static let maximumSize = 1 << 26

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// The services through which the backend delivers.
  ///
  /// A file with a device of another service is refused, and so is a change that would bring one: FORMAT.md, [11.38].
  public let services: Set<PushService>

  private let file: SmallFile

  /// Names a file, without accessing it.
  public init(path: String, services: Set<PushService> = [.apns]) {
    self.path = path
    self.services = services
    file = SmallFile(path: path, maximumSize: Self.maximumSize, patience: .seconds(10), isGuarded: true)
  }

  /// Reads the registrations.
  ///
  /// A missing file counts as empty.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func load() throws(RegistrationFileError) -> Registrations {
    try parse(try converting { () throws(FileError) in try file.read() })
  }

  /// Changes the registrations under a lock, and creates the file if it is missing.
  ///
  /// If `change` throws, or changes nothing, the file stays as it is.
  ///
  /// - Throws: ``RegistrationFileError``.
  public func update<Result>(
    _ change: (inout Registrations) throws(SignedSetError) -> Result
  ) throws(RegistrationFileError) -> Result {
    try converting { () throws(FileError) in
      try file.update { (bytes) throws(FileError) in apply(change, to: bytes) }
    }.get()
  }

  /// Changes the registrations as `update(_:)` does, with a closure whose errors have any type.
  ///
  /// - Throws: ``RegistrationFileError``, or what `change` throws; then the file stays as it is.
  @_disfavoredOverload
  public func update<Result>(_ change: (inout Registrations) throws -> Result) throws -> Result {
    try update { (all) throws(SignedSetError) -> Swift.Result<Result, any Error> in
      let old = all
      do {
        return .success(try change(&all))
      } catch let error as SignedSetError {
        throw error
      } catch {
        all = old
        return .failure(error)
      }
    }.get()
  }

  /// The names of the registrations that `remove(_:)` would remove.
  ///
  /// - Throws: ``RegistrationFileError/file(_:path:)``.
  public func names(of devices: DeviceSelector) throws(RegistrationFileError) -> [String] {
    try converting { () throws(FileError) in
      Self.lines(of: try file.read()).filter { isSelected($0, by: devices) }.map(Self.printedName)
    }
  }

  /// Removes devices, such as a lost phone, and returns the registrations' names.
  ///
  /// The other lines stay as they are, even invalid ones. An invalid line is found by its name and its token, and neither by
  /// its identity nor by a person. A device that a person has left stays if others have it.
  ///
  /// - Throws: ``RegistrationFileError/file(_:path:)``.
  @discardableResult
  public func remove(_ devices: DeviceSelector) throws(RegistrationFileError) -> [String] {
    try converting { () throws(FileError) in
      try file.update { (bytes) throws(FileError) in
        var (removed, rest) = ([[UInt8]](), [[UInt8]]())
        for line in Self.lines(of: bytes) {
          guard isSelected(line, by: devices) else {
            rest.append(line)
            continue
          }
          removed.append(line)
          if case .person(let person, _) = devices, let line = left(line, by: person) {
            rest.append(line)
          }
        }
        let bytes = removed.isEmpty ? nil : rest.flatMap { $0 + [UInt8(ascii: "\n")] }
        return (bytes, removed.map(Self.printedName))
      }
    }
  }

  private func isSelected(_ line: [UInt8], by devices: DeviceSelector) -> Bool {
    switch devices {
    case .registration(let name): Self.name(of: line) == ExactString(name)
    case .identity(let identity): registration(in: line)?.identity == identity
    case .token(let token): self.token(of: line) == .apns(token)
    case .person(let person, let name):
      (name.map { Self.name(of: line) == ExactString($0) } ?? true)
        && registration(in: line)?.isOf(person) == true
    }
  }

  /// The line of a registration that a person has left; nil if nobody else has the device.
  private func left(_ line: [UInt8], by person: String) -> [UInt8]? {
    guard var registration = registration(in: line), registration.leave(person) else { return nil }
    return registration.persons.isEmpty ? nil : registration.encoded()
  }

  /// The registration in a line; nil if the line is invalid.
  private func registration(in line: [UInt8]) -> Registration? {
    try? Registration(parsing: line.span, services: services)
  }

  /// What happened to a registration whose device token APNs no longer accepts.
  public enum Removal: Hashable, Sendable {
    /// It was removed.
    case removed(name: String)
    /// It was kept, because the device has enrolled since; nothing is sealed to it until it has proven a token again.
    case kept(name: String, enrolledAt: UnixTime)
  }

  /// Removes the registration with this device token, and returns what happened to it; nil if there is none.
  ///
  /// With `time`, APNs' time (status 410, `timestamp`), the registration stays unless
  /// ``Registration/isUnregistered(at:)`` is true, and loses what it has proven (``Registration/unregister()``), because the
  /// device's clock may be wrong. The other lines stay as they are, even invalid ones.
  ///
  /// - Throws: ``RegistrationFileError/file(_:path:)``; ``RegistrationFileError/line(_:_:path:)`` if the line with this
  ///   token is invalid.
  public func remove(
    _ token: DeviceToken, unregisteredAt time: UnixTime? = nil
  ) throws(RegistrationFileError) -> Removal? { try remove(.apns(token), unregisteredAt: time) }

  /// Removes the registration with this token of FCM, which has answered `UNREGISTERED`, as
  /// ``remove(_:unregisteredAt:)`` does without a time.
  ///
  /// - Throws: As ``remove(_:unregisteredAt:)``.
  public func remove(_ token: FCMToken) throws(RegistrationFileError) -> Removal? {
    try remove(.fcm(token), unregisteredAt: nil)
  }

  package func remove(
    _ token: PushToken, unregisteredAt time: UnixTime?
  ) throws(RegistrationFileError) -> Removal? {
    try converting { () throws(FileError) in
      try file.update { (bytes) throws(FileError) in
        var lines = Self.lines(of: bytes)
        let result = removal(of: token, unregisteredAt: time, from: lines)
        switch result {
        case .success((let index, .removed)?): lines.remove(at: index)
        case .success((let index, .kept)?):
          guard let line = unregistered(lines[index]) else { return (nil, result) }
          lines[index] = line
        case .success(nil), .failure: return (nil, result)
        }
        return (lines.flatMap { $0 + [UInt8(ascii: "\n")] }, result)
      }
    }.get()?.removal
  }

  /// Returns what ``remove(_:unregisteredAt:)`` would return, and changes nothing.
  ///
  /// - Throws: As ``remove(_:unregisteredAt:)``.
  public func removal(
    of token: DeviceToken, unregisteredAt time: UnixTime? = nil
  ) throws(RegistrationFileError) -> Removal? { try removal(of: .apns(token), unregisteredAt: time) }

  package func removal(
    of token: PushToken, unregisteredAt time: UnixTime?
  ) throws(RegistrationFileError) -> Removal? {
    let lines = Self.lines(of: try converting { () throws(FileError) in try file.read() })
    return try removal(of: token, unregisteredAt: time, from: lines).get()?.removal
  }

  /// The position of the line with a token, and what would happen to it; nil if there is none.
  private func removal(
    of token: PushToken, unregisteredAt time: UnixTime?, from lines: [[UInt8]]
  ) -> Result<(index: Int, removal: Removal)?, RegistrationFileError> {
    guard let index = lines.firstIndex(where: { self.token(of: $0) == token }) else { return .success(nil) }
    let line = lines[index]
    do throws(SignedSetError) {
      let registration = try Registration(parsing: line.span, services: services)
      let isKept = time.map { !registration.isUnregistered(at: $0) } ?? false
      return .success(
        (
          index,
          isKept
            ? .kept(name: registration.name, enrolledAt: registration.enrolment.issuedAt)
            : .removed(name: registration.name)
        ))
    } catch {
      return .failure(.line(index + 1, error, path: path))
    }
  }

  /// The line of a registration after it has lost what it had proven; nil if it had proven nothing.
  private func unregistered(_ line: [UInt8]) -> [UInt8]? {
    guard var registration = registration(in: line), registration.unregister() else { return nil }
    return registration.encoded()
  }

  private static func lines(of bytes: [UInt8]?) -> [[UInt8]] {
    var lines = (bytes ?? []).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
      Array.init)
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }

  /// The name in a line, which may be invalid.
  private static func name(of line: [UInt8]) -> ExactString? {
    (try? JSONObject(parsing: line.span))?["registration"]?.string.map(ExactString.init)
  }

  /// The name in a line, or nothing if it has none.
  private static func printedName(of line: [UInt8]) -> String { name(of: line)?.string ?? "" }

  /// The token to which a registration's messages go; the line may be invalid.
  private func token(of line: [UInt8]) -> PushToken? {
    guard let object = try? JSONObject(parsing: line.span) else { return nil }
    if object["proven"]?.object != nil, let proven = registration(in: line)?.proven {
      return proven.enrolment.address.token
    }
    guard let token = object["token"]?.string else { return nil }
    return object["service"] == nil
      ? (try? DeviceToken(token)).map(PushToken.apns) : (try? FCMToken(token)).map(PushToken.fcm)
  }

  /// Makes a change, and returns the new contents, nil if unchanged, and the change's result.
  private func apply<Result>(
    _ change: (inout Registrations) throws(SignedSetError) -> Result, to bytes: [UInt8]?
  ) -> (bytes: [UInt8]?, result: Swift.Result<Result, RegistrationFileError>) {
    do throws(RegistrationFileError) {
      var registrations = try parse(bytes)
      let before = registrations.all
      let result: Result
      do throws(SignedSetError) {
        result = try change(&registrations)
      } catch {
        throw .refused(error, path: path)
      }
      guard registrations.all.allSatisfy({ services.contains($0.enrolment.address.service) }) else {
        throw .refused(.unsupportedService, path: path)
      }
      return (registrations.all == before ? nil : Self.encode(registrations), .success(result))
    } catch {
      return (nil, .failure(error))
    }
  }

  private func parse(_ bytes: [UInt8]?) throws(RegistrationFileError) -> Registrations {
    var registrations = Registrations()
    for (index, line) in Self.lines(of: bytes).enumerated() {
      do throws(SignedSetError) {
        try registrations.append(try Registration(parsing: line.span, services: services))
      } catch {
        throw .line(index + 1, error, path: path)
      }
    }
    return registrations
  }

  private static func encode(_ registrations: Registrations) -> [UInt8] {
    registrations.all.flatMap { $0.encoded() + [UInt8(ascii: "\n")] }
  }

  /// Runs `work` and converts its error.
  private func converting<Result>(
    _ work: () throws(FileError) -> Result
  ) throws(RegistrationFileError) -> Result {
    do throws(FileError) {
      return try work()
    } catch {
      throw .file(error, path: path)
    }
  }
}

/// Why a registration file cannot be read or changed, and which file it is.
public enum RegistrationFileError: Error, Equatable, Sendable {
  /// The file cannot be read or written.
  case file(FileError, path: String)
  /// A line is invalid. Line numbers start at 1.
  case line(Int, SignedSetError, path: String)
  /// The change is rejected.
  case refused(SignedSetError, path: String)
}

extension RegistrationFileError: CustomStringConvertible {
  /// What is wrong, and with which file and line.
  public var description: String {
    switch self {
    case .file(let error, let path): error.sentence(about: PrintableText.escaped(path))
    case .line(let number, let error, let path):
      "\(PrintableText.escaped(path)), line \(number): \(error.code): \(error.reason)"
    case .refused(let error, let path): "\(PrintableText.escaped(path)): the change is \(error)"
    }
  }
}
