#if canImport(Glibc)
  private import Glibc
#elseif canImport(Darwin)
  private import Darwin
#endif
public import PushCore
internal import PushFiles
public import PushEnrolment
public import PushKeys

/// Devices from a file of enrolments, one line of JSON per device.
///
/// A line is a registration in the format of `RegistrationFile`, whose signature is verified, or an unsigned enrolment:
/// `{"v":1,"topic":…,"environment":…,"token":…,"keys":{…}}`, with the bundle ID, `sandbox` or `production`, the token
/// in hexadecimal, and the device's public JWK Set; or, of an Android device, with `"service":"fcm"` in place of the
/// environment, the application ID and FCM's token. A line may also have `person`, the backend's name for the person
/// who has the device. The file is read once. Memory use is proportional to its size.
public struct RecipientFile: RecipientDirectory {
  /// The maximum length of a line, in bytes: 64 KiB.
  public static let maximumLineSize = 1 << 16

  /// The path, absolute or relative to the process's working folder.
  public let path: String

  /// The devices, in the order of the file.
  public private(set) var devices: [EnrolledDevice] = []

  private var positionsByToken: [PushToken: Int] = [:]
  private var positionsByKey: [KeyID: Int] = [:]
  private var positionsByName: [ExactString: Int] = [:]
  private var positionsByPerson: [ExactString: [Int]] = [:]

  /// Reads a file.
  ///
  /// `services` are those through which the caller delivers; a line of another one is invalid.
  ///
  /// - Throws: ``RecipientFileError``, for the first invalid line.
  public init(path: String, services: Set<PushService> = [.apns]) throws(RecipientFileError) {
    self.path = path
    try Self.forEachLine(of: path) { (line) throws(RecipientFileError) in
      try append(line, services: services)
    }
  }

  /// Calls `body` with each line of a file, in bounded memory, apart from what `body` keeps.
  static func forEachLine(
    of path: String, body: (LineSplitter.Line) throws(RecipientFileError) -> Void
  ) throws(RecipientFileError) {
    var file: CInt
    repeat { file = unsafe open(path, O_RDONLY | O_CLOEXEC) } while file < 0 && errno == EINTR
    guard file >= 0 else { throw .unreadable(errno: errno, path: path) }
    defer { close(file) }
    var lines = LineSplitter(maximumSize: maximumLineSize)
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe read(file, &piece, piece.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable(errno: errno, path: path) }
      guard count > 0 else { break }
      lines.append(piece.prefix(count))
      while let line = lines.next() { try body(line) }
    }
    if let line = lines.end() { try body(line) }
  }

  /// Returns the device with this name, or nil if there is none.
  ///
  /// In a file of registrations it is only the registration's name: a device chooses its own token and keys, and could
  /// choose ones that match another device's name. In a file of unsigned enrolments it is a token in hexadecimal, a
  /// key's `kid`, or a key ID as in envelopes.
  public func device(named name: String) -> EnrolledDevice? {
    guard positionsByName.isEmpty else { return positionsByName[ExactString(name)].map { devices[$0] } }
    return device(keyed: name)
  }

  /// Returns a person's devices, in the order of the file; an empty array if there are none.
  public func devices(of person: String) -> [EnrolledDevice] {
    (positionsByPerson[ExactString(person)] ?? []).map { devices[$0].addressed(to: person) }
  }

  private func device(keyed name: String) -> EnrolledDevice? {
    if let position = (try? KeyID(name)).flatMap({ positionsByKey[$0] }) { return devices[position] }
    for token in PushToken.all(in: name) {
      if let position = positionsByToken[token] { return devices[position] }
    }
    guard let thumbprint = try? Thumbprint(name),
      let position = positionsByKey[thumbprint.keyID],
      devices[position].keys?.records.contains(where: { $0.id == thumbprint }) == true
    else { return nil }
    return devices[position]
  }

  /// Returns a person's devices, or the device with this name: see ``devices(of:)`` and ``device(named:)``.
  public func recipients(for addressee: Addressee) -> [EnrolledDevice] {
    switch addressee {
    case .person(let name): devices(of: name)
    case .registration(let name): device(named: name).map { [$0] } ?? []
    }
  }

  private mutating func append(
    _ line: LineSplitter.Line, services: Set<PushService>
  ) throws(RecipientFileError) {
    let number = devices.count + 1
    do throws(RecipientFileError.Fault) {
      let line = try RecipientLine(parsing: line, services: services)
      try append(line.device, hasToken: line.hasToken)
    } catch {
      throw .line(number, error, path: path)
    }
  }

  /// Adds a device; `hasToken` is false if its token is not proven, so that other registrations may have the same one.
  private mutating func append(
    _ device: EnrolledDevice, hasToken: Bool
  ) throws(RecipientFileError.Fault) {
    let position = devices.count
    // Anyone could have written an unsigned line.
    guard position == positionsByName.count || device.registration == nil,
      positionsByName.isEmpty || device.registration != nil
    else { throw .mixed }
    if hasToken, let earlier = positionsByToken.updateValue(position, forKey: device.address.token) {
      throw .duplicateToken(firstLine: earlier + 1)
    }
    if let name = device.registration,
      let earlier = positionsByName.updateValue(position, forKey: ExactString(name))
    {
      throw .duplicateName(firstLine: earlier + 1)
    }
    for record in device.keys?.records ?? [] {
      if let earlier = positionsByKey.updateValue(position, forKey: record.id.keyID) {
        throw .duplicateKey(firstLine: earlier + 1)
      }
    }
    for person in device.persons {
      positionsByPerson[ExactString(person), default: []].append(position)
    }
    devices.append(device)
  }
}

/// A line of a file of enrolments.
enum RecipientLine {
  case registration(Registration)
  case unsigned(EnrolledDevice)

  /// The device.
  var device: EnrolledDevice {
    switch self {
    case .registration(let registration): EnrolledDevice(registration)
    case .unsigned(let device): device
    }
  }

  /// Whether the device's token is known to be its own.
  var hasToken: Bool {
    switch self {
    case .registration(let registration): registration.proven?.hasToken == true
    case .unsigned: true
    }
  }

  private static let members = ["v", "topic", "environment", "service", "token", "keys"]

  /// Reads a registration or an unsigned enrolment.
  ///
  /// An enrolment is `{"v":1,"topic":…,"environment":…,"token":…,"keys":{…}}`: it has all of these members, may have
  /// `person`, and has no others. For `environment` it may have `service`.
  init(
    parsing line: LineSplitter.Line, services: Set<PushService>
  ) throws(RecipientFileError.Fault) {
    guard case .whole(let line) = line else { throw .tooLong }
    let object: JSONObject
    do throws(JSONError) {
      object = try JSONObject(parsing: line.span)
    } catch {
      throw .json(error, column: error.position(in: line).column)
    }
    guard let version = object["v"] else { throw .invalidMember("v") }
    guard version.number?.integer == 1 else { throw .unsupportedVersion }
    if object["registration"] != nil {
      self = .registration(try Self.readRegistration(from: line, services: services))
      return
    }
    if let name = object.keys.first(where: { !Self.members.contains($0) && $0 != "person" }) {
      throw .unknownMember(name.utf8.count <= 20 ? name : "…")
    }
    let address = try Self.readAddress(from: object, services: services)
    guard let keys = object["keys"]?.object else { throw .invalidMember("keys") }
    let person = object["person"]?.string
    guard object["person"] == nil || person.map(Registration.isName) == true else {
      throw .invalidMember("person")
    }
    self = .unsigned(
      EnrolledDevice(
        address: address,
        keys: try Self.readKeys(from: keys), person: person))
  }

  /// Reads the members that say where a device's messages go, in order.
  private static func readAddress(
    from object: JSONObject, services: Set<PushService>
  ) throws(RecipientFileError.Fault) -> PushAddress {
    func read<Value>(_ name: String, _ read: (String) -> Value?) throws(RecipientFileError.Fault) -> Value {
      guard let value = object[name]?.string.flatMap(read) else { throw .invalidMember(name) }
      return value
    }
    let topic = try read("topic") { try? Topic($0) }
    let service =
      object["service"] == nil ? PushService.apns : try read("service", PushService.init(rawValue:))
    guard services.contains(service) else { throw .registration(.unsupportedService) }
    guard topic.isOf(service) else { throw .invalidMember("topic") }
    switch service {
    case .apns:
      guard object["service"] == nil else { throw .invalidMember("service") }
      let environment = try read("environment", APNsEnvironment.init(rawValue:))
      let token = try read("token") { try? DeviceToken($0) }
      return .apns(DeviceAddress(topic: topic, environment: environment, token: token))
    case .fcm:
      guard object["environment"] == nil else { throw .invalidMember("environment") }
      let token = try read("token") { try? FCMToken($0) }
      guard let address = try? FCMAddress(topic: topic, token: token) else { throw .invalidMember("topic") }
      return .fcm(address)
    }
  }

  private static func readRegistration(
    from line: [UInt8], services: Set<PushService>
  ) throws(RecipientFileError.Fault) -> Registration {
    do throws(SignedSetError) {
      return try Registration(parsing: line.span, services: services)
    } catch {
      throw .registration(error)
    }
  }

  private static func readKeys(from object: JSONObject) throws(RecipientFileError.Fault) -> PublicKeySet {
    let text = object.encoded()
    do throws(KeySetError) {
      let keys = try PublicKeySet(parsing: text.span)
      guard keys.role == .device else { throw .wrongRole }
      return keys
    } catch {
      throw .keys(error)
    }
  }
}

extension PushToken {
  /// What a text may be: a token of each service.
  fileprivate static func all(in text: String) -> [PushToken] {
    [(try? DeviceToken(text)).map(PushToken.apns), (try? FCMToken(text)).map(PushToken.fcm)].compactMap(
      \.self)
  }
}

/// Why a file of enrolments cannot be used, and which file it is.
public enum RecipientFileError: Error, Equatable, Sendable {
  /// The file cannot be opened or read.
  case unreadable(errno: Int32, path: String)

  /// A line is invalid; the first line is 1.
  case line(Int, Fault, path: String)

  /// Why a line is invalid.
  public enum Fault: Error, Equatable, Sendable {
    /// The line is longer than 64 KiB.
    case tooLong
    /// The line is not a JSON object; the fault is at `column`, counted from 1.
    case json(JSONError, column: Int)
    /// Its `v` is not 1: a newer version wrote it.
    case unsupportedVersion
    /// A member is missing or invalid.
    case invalidMember(String)
    /// It has an unknown member; a name longer than 20 bytes is given as "…".
    case unknownMember(String)
    /// Its `keys` cannot be used.
    case keys(KeySetError)
    /// The file mixes registrations and unsigned enrolments.
    case mixed
    /// It is an invalid registration.
    case registration(SignedSetError)
    /// An earlier line has the same registration name.
    case duplicateName(firstLine: Int)
    /// An earlier line has the same token.
    case duplicateToken(firstLine: Int)
    /// An earlier line has one of its keys.
    case duplicateKey(firstLine: Int)
  }
}

extension RecipientFileError: CustomStringConvertible {
  /// What is wrong, and with which file and line.
  public var description: String {
    switch self {
    case .unreadable(let errno, let path):
      "cannot read \(PrintableText.escaped(path)): \(SystemMessage.text(of: errno))"
    case .line(let number, let fault, let path): "\(PrintableText.escaped(path)), line \(number): \(fault)"
    }
  }
}

extension RecipientFileError.Fault: CustomStringConvertible {
  /// What is wrong with the line.
  public var description: String {
    switch self {
    case .tooLong: "longer than \(RecipientFile.maximumLineSize) bytes"
    case .json(let error, let column): "not strict JSON: \(error.reason.rawValue) at column \(column)"
    case .unsupportedVersion: "written by a newer version"
    case .invalidMember(let name): "'\(PrintableText.escaped(name))' is missing or wrong"
    case .unknownMember(let name): "'\(PrintableText.escaped(name))' is unknown"
    case .keys(let error): "its keys: \(error.reason)"
    case .mixed: "registrations and unsigned enrolments cannot share a file"
    case .registration(let error): "\(error.code): \(error.reason)"
    case .duplicateName(let line): "its registration's name is also in line \(line)"
    case .duplicateToken(let line): "its token is also in line \(line)"
    case .duplicateKey(let line): "one of its keys is also in line \(line)"
    }
  }
}

/// Keeps persons and names out of logs.
extension RecipientFile: CustomStringConvertible, CustomReflectable {
  /// How many devices there are, and the file.
  public var description: String { "\(devices.count) devices of \(PrintableText.escaped(path))" }

  /// Shows nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
